import Glibc

/// UDP ports on loopback that nothing uses.
enum FreePorts {
    /// - Parameter count: The number of ports.
    /// - Returns: Ports that are all different.
    /// - Throws: ``DrillError`` if the system has none.
    static func take(_ count: Int) throws(DrillError) -> [Int] {
        var descriptors: [Int32] = []
        // All are held until the last is known, so that none is given twice.
        defer { for descriptor in descriptors { close(descriptor) } }
        var ports: [Int] = []
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            guard descriptor >= 0 else { throw .failed("there is no free socket") }
            descriptors.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
                }
            }
            guard isBound else { throw .failed("there is no free UDP port") }
            ports.append(Int(UInt16(bigEndian: address.sin_port)))
        }
        return ports
    }
}
