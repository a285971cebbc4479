package import MediaCore

/// An entry of `stsd` for a video or audio track.
package struct ParsedSampleEntry: Hashable, Sendable {
    /// The entry's own type: `encv` or `enca` where the track is encrypted.
    let type: FourCC
    /// The type before encryption, by `frma`; the type itself where the track is clear.
    package let originalFormat: FourCC
    /// The range of the entry, in bytes from the start of the file.
    package let range: Range<Int>
    /// The range of `sinf` in it; nil where the track is clear.
    package let protectionRange: Range<Int>?
    /// The scheme in `schm`.
    package let scheme: FourCC?
    package let encryption: ParsedTrackEncryption?
    /// Pixels; 0 for audio.
    package private(set) var width = 0
    package private(set) var height = 0
    /// The channels in the entry's fields; 0 for video.
    private(set) var channels = 0
    /// Hz, of the entry's fields; 0 for video.
    private(set) var sampleRate = 0
    /// The boxes behind the fields, their content by type: `avcC`, `esds`, `colr` and so on.
    package let extensions: [FourCC: [UInt8]]

    init(_ box: ParsedBox, handler: FourCC) throws(MalformedBoxError) {
        type = box.type
        range = box.range
        var cursor = box.content
        try cursor.skip(8)
        if handler == "vide" {
            try cursor.skip(16)
            (width, height) = (Int(try cursor.read(UInt16.self)), Int(try cursor.read(UInt16.self)))
            try cursor.skip(50)
        } else if handler == "soun" {
            try cursor.skip(8)
            channels = Int(try cursor.read(UInt16.self))
            try cursor.skip(6)
            sampleRate = Int(try cursor.read(UInt32.self) >> 16)
        } else {
            // Entries of text and metadata begin with strings, which are not needed.
            try cursor.skip(cursor.remaining)
        }
        let children = try ParsedBox.boxes(cursor)
        extensions = Dictionary(children.map { ($0.type, $0.contentBytes) }) { first, _ in first }

        protectionRange = children.first("sinf")?.range
        guard let protection = children.first("sinf") else {
            (originalFormat, scheme, encryption) = (box.type, nil, nil)
            return
        }
        var format = try protection.child("frma").content
        originalFormat = try format.readFourCC()
        var schemeType = try protection.child("schm").content
        try schemeType.skip(4)
        scheme = try schemeType.readFourCC()
        encryption = try ParsedTrackEncryption(try protection.child("schi").child("tenc"))
    }

    /// The AudioSpecificConfig in `esds`; nil if there is none.
    var audioSpecificConfig: [UInt8]? {
        guard var rest = extensions["esds"]?.dropFirst(4) else { return nil }
        // ISO/IEC 14496-1 § 7.2.6: ES_Descriptor with flags 0 holds DecoderConfigDescriptor holds DecoderSpecificInfo.
        for (tag, fields) in [(3, 3), (4, 13), (5, 0)] as [(UInt8, Int)] {
            guard rest.popFirst() == tag else { return nil }
            var size = 0
            for _ in 0..<4 {
                guard let byte = rest.popFirst() else { return nil }
                size = size << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            guard size <= rest.count, fields <= size else { return nil }
            rest = rest.prefix(size).dropFirst(fields)
        }
        return Array(rest)
    }
}

/// The contents of a `tenc` box (ISO/IEC 23001-7 § 8.2).
package struct ParsedTrackEncryption: Hashable, Sendable {
    let version: UInt8
    let cryptBlocks: UInt8
    let skipBlocks: UInt8
    let isProtected: Bool
    /// Bytes of the IV before each sample's entry in `senc`.
    let perSampleIVSize: Int
    package let keyID: KeyID
    /// Empty where samples have their own.
    package let constantIV: [UInt8]
    /// The range of the key's ID, in bytes from the start of the file.
    package let keyIDRange: Range<Int>
    /// The range of the constant IV; empty if there is none.
    package let constantIVRange: Range<Int>
    /// Encrypted and skipped blocks in turn; both zero if all are encrypted.
    package var pattern: TrackEncryption.Pattern {
        TrackEncryption.Pattern(cryptBlocks: cryptBlocks, skipBlocks: skipBlocks)
    }

    init(_ box: ParsedBox) throws(MalformedBoxError) {
        var cursor = box.content
        version = try cursor.readVersionAndFlags().version
        try cursor.skip(1)
        let pattern = try cursor.read(UInt8.self)
        (cryptBlocks, skipBlocks) = version == 0 ? (0, 0) : (pattern >> 4, pattern & 0x0F)
        isProtected = try cursor.read(UInt8.self) == 1
        perSampleIVSize = Int(try cursor.read(UInt8.self))
        let start = cursor.position
        keyID = KeyID(try cursor.readBytes16())
        keyIDRange = start..<cursor.position
        let size = isProtected && perSampleIVSize == 0 ? Int(try cursor.read(UInt8.self)) : 0
        constantIVRange = cursor.position..<cursor.position + size
        constantIV = try cursor.readBytes(size)
    }
}
