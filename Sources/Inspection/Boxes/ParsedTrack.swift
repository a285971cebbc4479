package import MediaCore

/// The contents of a `trak` box and its `trex`.
package struct ParsedTrack: Hashable, Sendable {
    package let trackID: UInt32
    /// Ticks per second.
    package let timescale: UInt32
    /// Three letters of ISO 639-2/T.
    package let language: String
    /// The BCP 47 tag of `elng`.
    package let extendedLanguage: String?
    /// The end of `tkhd`: matrix, width and height, eleven values (ISO/IEC 14496-12 § 8.3.2).
    package let placement: [UInt32]
    /// `vide` or `soun`, or another.
    package let handler: FourCC
    package let sampleEntry: ParsedSampleEntry
    let defaults: Defaults

    /// The values of `trex` for samples that neither `tfhd` nor `trun` speaks of.
    package struct Defaults: Hashable, Sendable {
        var duration: UInt32 = 0
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    init(_ box: ParsedBox, extends: [ParsedBox]) throws(MalformedBoxError) {
        var header = try box.child("tkhd").content
        let headerVersion = try header.readVersionAndFlags().version
        try header.skip(headerVersion == 1 ? 16 : 8)
        trackID = try header.read()
        try header.skip(headerVersion == 1 ? 28 : 24)
        var placement: [UInt32] = []
        for _ in 0..<11 { placement.append(try header.read()) }
        self.placement = placement

        let media = try box.child("mdia")
        (timescale, language) = try Self.readMediaHeader(try media.child("mdhd"))
        extendedLanguage = try media.children().first("elng").map(Self.readExtendedLanguage)
        var handlerCursor = try media.child("hdlr").content
        try handlerCursor.skip(8)
        handler = try handlerCursor.readFourCC()

        let descriptions = try media.child("minf").child("stbl").child("stsd")
        // Version, flags and entry_count come before the entries.
        guard let entry = try descriptions.children(skipping: 8).first else {
            throw MalformedBoxError(.truncated, at: descriptions.range.lowerBound)
        }
        sampleEntry = try ParsedSampleEntry(entry, handler: handler)

        var defaults = Defaults()
        for box in extends {
            var cursor = box.content
            try cursor.skip(4)
            guard try cursor.read(UInt32.self) == trackID else { continue }
            try cursor.skip(4)
            defaults = Defaults(duration: try cursor.read(), size: try cursor.read(), flags: try cursor.read())
        }
        self.defaults = defaults
    }

    private static func readMediaHeader(_ box: ParsedBox) throws(MalformedBoxError) -> (UInt32, String) {
        var cursor = box.content
        let version = try cursor.readVersionAndFlags().version
        try cursor.skip(version == 1 ? 16 : 8)
        let timescale = try cursor.read(UInt32.self)
        try cursor.skip(version == 1 ? 8 : 4)
        let packed = try cursor.read(UInt16.self)
        let letters = [10, 5, 0].map { UInt8(packed >> $0 & 0x1F) + 0x60 }
        return (timescale, String(decoding: letters, as: UTF8.self))
    }

    private static func readExtendedLanguage(_ box: ParsedBox) throws(MalformedBoxError) -> String {
        var cursor = box.content
        try cursor.skip(4)
        return String(decoding: try cursor.readRest().prefix { $0 != 0 }, as: UTF8.self)
    }
}
