/// Walks through a caption channel packet of CTA-708 byte by byte for the services that it carries.
struct CaptionChannelPacket {
    /// Bytes that the packet still has.
    private var bytesLeft = 0
    /// Bytes of the service block that are still to be stepped over.
    private var blockBytesLeft = 0
    /// block_size of a service block whose number is in the next byte.
    private var extendedBlockSize: Int?

    /// - Parameter header: sequence_number and packet_size_code (CTA-708 § 5).
    mutating func start(header: UInt8) {
        let code = Int(header & 0x3F)
        self = Self()
        bytesLeft = (code == 0 ? 128 : code * 2) - 1
    }

    /// Reads the next byte.
    ///
    /// - Parameters:
    ///   - byte: The byte; without the start of its packet it is ignored.
    ///   - services: The services so far; those of the packet are added.
    mutating func read(_ byte: UInt8, _ services: inout CaptionServices) {
        guard bytesLeft > 0 else { return }
        bytesLeft -= 1
        if blockBytesLeft > 0 {
            blockBytesLeft -= 1
        } else if let size = extendedBlockSize {
            extendedBlockSize = nil
            blockBytesLeft = size
            services.insert(service: Int(byte & 0x3F))
        } else {
            readBlockHeader(byte, &services)
        }
    }

    /// service_number and block_size (CTA-708 § 6.2).
    private mutating func readBlockHeader(_ byte: UInt8, _ services: inout CaptionServices) {
        let (service, size) = (Int(byte >> 5), Int(byte & 0x1F))
        switch (service, size) {
        // A null block ends the packet.
        case (0, _): bytesLeft = 0
        // The block is empty.
        case (_, 0): break
        case (7, _): extendedBlockSize = size
        default:
            blockBytesLeft = size
            services.insert(service: service)
        }
    }
}
