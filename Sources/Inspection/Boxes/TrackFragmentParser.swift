import MediaCore
import NIOCore

/// Reads a `traf` box.
struct TrackFragmentParser {
    private(set) var trackID: UInt32 = 0
    private(set) var baseMediaDecodeTime: UInt64 = 0
    private(set) var samples: [ParsedSample] = []
    private(set) var auxiliaryInformation: [Range<Int>] = []

    private var defaults: ParsedTrack.Defaults
    private var baseDataOffset = 0

    /// The values that the tracks of a movie fragment share.
    struct Context {
        /// The offset of `moof`.
        let fragmentOffset: Int
        /// The range of the content of its `mdat`.
        let mediaData: Range<Int>
        /// The end of the data of the last run; `moof` before any.
        var nextDataOffset: Int
        /// The number of samples that the file may still have.
        var sampleBudget: Int
    }

    init(
        _ box: ParsedBox,
        initialization: ParsedInitialization?,
        context: inout Context
    ) throws(MalformedBoxError) {
        defaults = ParsedTrack.Defaults()
        let children = try box.children()
        try readHeader(try box.child("tfhd"), initialization: initialization, context: context)
        context.nextDataOffset = baseDataOffset

        var decodeTime = try box.child("tfdt").content
        let version = try decodeTime.readVersionAndFlags().version
        baseMediaDecodeTime = version == 1 ? try decodeTime.read() : UInt64(try decodeTime.read(UInt32.self))

        for child in children where child.type == "trun" { try readRun(child, context: &context) }
        if let sizes = children.first("saiz"), let offsets = children.first("saio") {
            try readAuxiliaryInformation(sizes: sizes, offsets: offsets)
        }
        if let encryption = children.first("senc") {
            let track = initialization?.tracks.first { $0.trackID == trackID }
            try readEncryption(encryption, vectorSize: track?.sampleEntry.encryption?.perSampleIVSize ?? 0)
        }
    }

    /// Reads `tfhd` (ISO/IEC 14496-12 § 8.8.7).
    private mutating func readHeader(
        _ box: ParsedBox,
        initialization: ParsedInitialization?,
        context: Context
    ) throws(MalformedBoxError) {
        var cursor = box.content
        let flags = try cursor.readVersionAndFlags().flags
        trackID = try cursor.read()
        defaults = initialization?.tracks.first { [trackID] in $0.trackID == trackID }?.defaults ?? defaults
        // Without either flag, data follow those of the track before.
        baseDataOffset = flags & 0x02_0000 != 0 ? context.fragmentOffset : context.nextDataOffset
        if flags & 0x01 != 0 {
            let offset = try cursor.read(UInt64.self)
            guard offset <= UInt64(context.mediaData.upperBound) else {
                throw MalformedBoxError(.misplacedData, at: box.range.lowerBound)
            }
            baseDataOffset = Int(offset)
        }
        if flags & 0x02 != 0 { try cursor.skip(4) }
        if flags & 0x08 != 0 { defaults.duration = try cursor.read() }
        if flags & 0x10 != 0 { defaults.size = try cursor.read() }
        if flags & 0x20 != 0 { defaults.flags = try cursor.read() }
    }

    /// Reads `trun` (ISO/IEC 14496-12 § 8.8.8).
    private mutating func readRun(_ box: ParsedBox, context: inout Context) throws(MalformedBoxError) {
        var cursor = box.content
        let (version, flags) = try cursor.readVersionAndFlags()
        let count = Int(try cursor.read(UInt32.self))
        if flags & 0x01 != 0 { context.nextDataOffset = baseDataOffset + Int(try cursor.read(Int32.self)) }
        let firstFlags = flags & 0x04 != 0 ? try cursor.read(UInt32.self) : nil

        let fieldsPerSample = (flags >> 8 & 0x0F).nonzeroBitCount
        guard count * fieldsPerSample * 4 <= cursor.remaining, count <= context.sampleBudget else {
            throw MalformedBoxError(.tooManyEntries, at: box.range.lowerBound)
        }
        context.sampleBudget -= count

        var decodeTime = samples.last.map { $0.decodeTime &+ UInt64($0.duration) } ?? baseMediaDecodeTime
        for index in 0..<count {
            let duration = flags & 0x100 != 0 ? try cursor.read() : defaults.duration
            let size = flags & 0x200 != 0 ? try cursor.read() : defaults.size
            var sampleFlags = flags & 0x400 != 0 ? try cursor.read() : defaults.flags
            if index == 0, let firstFlags { sampleFlags = firstFlags }
            var compositionOffset: Int64 = 0
            if flags & 0x800 != 0 {
                let field = try cursor.read(UInt32.self)
                compositionOffset = version == 0 ? Int64(field) : Int64(Int32(bitPattern: field))
            }
            let start = context.nextDataOffset
            guard start >= context.mediaData.lowerBound, Int(size) <= context.mediaData.upperBound - start else {
                throw MalformedBoxError(.misplacedData, at: box.range.lowerBound)
            }
            context.nextDataOffset = start + Int(size)
            samples.append(
                ParsedSample(
                    decodeTime: decodeTime,
                    duration: duration,
                    compositionOffset: compositionOffset,
                    flags: sampleFlags,
                    range: start..<start + Int(size)
                )
            )
            decodeTime &+= UInt64(duration)
        }
    }

    /// Reads `saiz` and `saio` (ISO/IEC 14496-12 § 8.7.8, 8.7.9); offsets for each run are not looked into.
    private mutating func readAuxiliaryInformation(
        sizes: ParsedBox,
        offsets: ParsedBox
    ) throws(MalformedBoxError) {
        var offset = offsets.content
        let (offsetVersion, offsetFlags) = try offset.readVersionAndFlags()
        if offsetFlags & 1 != 0 { try offset.skip(8) }
        guard try offset.read(UInt32.self) == 1 else { return }
        let relative = offsetVersion == 0 ? UInt64(try offset.read(UInt32.self)) : try offset.read(UInt64.self)

        var size = sizes.content
        if try size.readVersionAndFlags().flags & 1 != 0 { try size.skip(8) }
        let defaultSize = try size.read(UInt8.self)
        let count = try size.read(UInt32.self)
        guard count <= samples.count, defaultSize != 0 || count <= size.remaining else {
            throw MalformedBoxError(.tooManyEntries, at: sizes.range.lowerBound)
        }
        let fileEnd = offsets.content.bytes.readableBytes
        guard relative <= UInt64(fileEnd) else {
            throw MalformedBoxError(.misplacedData, at: offsets.range.lowerBound)
        }
        var start = baseDataOffset + Int(relative)
        for _ in 0..<count {
            let length = Int(defaultSize == 0 ? try size.read(UInt8.self) : defaultSize)
            guard start + length <= fileEnd else {
                throw MalformedBoxError(.misplacedData, at: offsets.range.lowerBound)
            }
            auxiliaryInformation.append(start..<start + length)
            start += length
        }
    }

    /// Reads `senc` (ISO/IEC 23001-7 § 7.2).
    private mutating func readEncryption(_ box: ParsedBox, vectorSize: Int) throws(MalformedBoxError) {
        var cursor = box.content
        let flags = try cursor.readVersionAndFlags().flags
        guard try cursor.read(UInt32.self) == samples.count else {
            throw MalformedBoxError(.tooManyEntries, at: box.range.lowerBound)
        }
        for index in samples.indices {
            samples[index].initializationVector = try cursor.readBytes(vectorSize)
            guard flags & 0x02 != 0 else { continue }
            for _ in 0..<(try cursor.read(UInt16.self)) {
                samples[index].subsamples.append(
                    Subsample(clearBytes: try cursor.read(), protectedBytes: try cursor.read())
                )
            }
        }
    }
}
