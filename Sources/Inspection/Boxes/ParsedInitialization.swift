package import MediaCore
package import NIOCore

/// The contents of an initialization section, wherever it comes from.
package struct ParsedInitialization: Hashable, Sendable {
    let majorBrand: FourCC
    let compatibleBrands: [FourCC]
    /// The first of ``tracks``; in CMAF there is no other.
    package let track: ParsedTrack
    package let tracks: [ParsedTrack]
    /// The range of `moov`, in bytes from the start of the file.
    package let movieRange: Range<Int>
    package let protectionSystems: [ParsedProtectionSystem]

    /// Reads an initialization section.
    ///
    /// - Throws: `MalformedBoxError` if it cannot be read or a box that it must have is missing.
    package init(_ bytes: ByteBuffer) throws(MalformedBoxError) {
        let boxes = try ParsedBox.boxes(in: bytes)
        guard let fileType = boxes.first("ftyp") else { throw MalformedBoxError(.missing("ftyp"), at: 0) }
        guard let movie = boxes.first("moov") else { throw MalformedBoxError(.missing("moov"), at: 0) }

        movieRange = movie.range

        var brands = fileType.content
        majorBrand = try brands.readFourCC()
        try brands.skip(4)
        var compatible: [FourCC] = []
        while brands.remaining > 0 { compatible.append(try brands.readFourCC()) }
        compatibleBrands = compatible

        let children = try movie.children()
        let extends = try movie.child("mvex").children().filter { $0.type == "trex" }
        var parsed: [ParsedTrack] = []
        for box in children where box.type == "trak" { parsed.append(try ParsedTrack(box, extends: extends)) }
        guard let first = parsed.first else { throw MalformedBoxError(.missing("trak"), at: movie.range.lowerBound) }
        track = first
        tracks = parsed

        var systems: [ParsedProtectionSystem] = []
        for box in children where box.type == "pssh" { systems.append(try ParsedProtectionSystem(box)) }
        protectionSystems = systems
    }
}

/// The contents of a `pssh` box (ISO/IEC 23001-7 § 8.1).
package struct ParsedProtectionSystem: Hashable, Sendable {
    /// The range of the box, in bytes from the start of the file.
    package let range: Range<Int>
    package let systemID: Bytes16
    let keyIDs: [KeyID]
    let data: [UInt8]

    init(_ box: ParsedBox) throws(MalformedBoxError) {
        range = box.range
        var cursor = box.content
        let version = try cursor.readVersionAndFlags().version
        systemID = try cursor.readBytes16()
        var keyIDs: [KeyID] = []
        if version > 0 {
            for _ in 0..<(try cursor.readCount(entriesOf: 16)) { keyIDs.append(KeyID(try cursor.readBytes16())) }
        }
        self.keyIDs = keyIDs
        data = try cursor.readBytes(Int(try cursor.read(UInt32.self)))
    }
}
