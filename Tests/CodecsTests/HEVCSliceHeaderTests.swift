import TestSupport
import Testing

@testable import Codecs

struct HEVCSliceHeaderTests {
    private func parameterSets(of stream: SyntheticHEVC) throws -> HEVCParameterSets {
        var sets = HEVCParameterSets()
        #expect(try sets.insert(stream.videoParameterSet))
        #expect(try sets.insert(stream.sequenceParameterSet))
        #expect(try sets.insert(stream.pictureParameterSet))
        return sets
    }

    @Test(arguments: [true, false])
    func everyBranchOfTheSyntaxIsWalked(hasScreenContent: Bool) throws {
        for seed in 0..<400 as Range<UInt64> {
            var stream = SyntheticHEVC(seed: seed, hasScreenContent: hasScreenContent)
            let sets = try parameterSets(of: stream)
            for number in 0..<10 {
                let slice = stream.slice(isFirst: number == 0)
                do {
                    let header = try HEVCSliceHeader(slice.nalUnit, parameterSets: sets)
                    #expect(header.bitCount == slice.bitCount, "seed \(seed)")
                    #expect(header.byteCount == slice.byteCount, "seed \(seed)")
                    #expect(header.isFirstInPicture == (number == 0))
                    #expect(header.pictureParameterSetID == stream.pictureID)
                } catch .unsupported {
                    #expect(stream.refersToItself && (stream.isWeighted || stream.isBiweighted))
                }
            }
        }
    }

    /// FFmpeg reads in the streams of this test suite what they are made of.
    @Test func lengthsOfChanceAreWhatFFmpegFinds() async throws {
        for seed in 1000..<1008 as Range<UInt64> {
            var stream = SyntheticHEVC(seed: seed, hasScreenContent: false)
            let slices = (0..<20).map { stream.slice(isFirst: $0 % 2 == 0) }
            let sets = [stream.videoParameterSet, stream.sequenceParameterSet, stream.pictureParameterSet]
            let found = try await FFmpegSliceHeaders.headerBits(of: annexB(sets + slices.map(\.nalUnit)))
            #expect(found == slices.map { $0.bitCount + 16 }, "seed \(seed)")
        }
    }

    @Test(
        arguments: ([
            ("slices", "slices=4:wpp=1"),
            ("wavefronts", "ctu=16:wpp=1"),
            ("large blocks without wavefronts", "ctu=64:no-wpp=1"),
            ("open groups, pyramid", "open-gop=1:keyint=10:bframes=4:b-adapt=0:b-pyramid=1"),
            ("closed groups", "open-gop=0:keyint=8:radl=2:bframes=3"),
            ("weights", "weightp=1:weightb=1:ref=5:bframes=3:slices=2"),
            ("many references", "ref=6:bframes=5:b-adapt=0:max-merge=5"),
            ("intra only", "keyint=1"),
            ("no loop filters", "no-deblock=1:no-sao=1"),
            ("deblocking offsets, no SAO", "deblock=-2,3:no-sao=1:slices=3"),
            ("interlaced", "interlace=tff"),
            ("temporal layers", "temporal-layers=1:bframes=3"),
            ("lossless blocks", "cu-lossless=1:amp=1:rect=1:rd=4"),
            ("lossless", "lossless=1"),
            ("HRD", "hrd=1:vbv-maxrate=800:vbv-bufsize=800:bitrate=500:aud=1:repeat-headers=1"),
            ("optimized parameter sets", "opt-qp-pps=1:opt-ref-list-length-pps=1:repeat-headers=1"),
            ("transform skip, chroma offsets", "tskip=1:cbqpoffs=3:crqpoffs=-3:constrained-intra=1"),
            ("scaling lists", "scaling-list=default"),
            ("temporal motion vectors off", "temporal-mvp=0:max-merge=1:limit-refs=0"),
        ] as [(String, String)]).oneIn(2)
    )
    func lengthsByX265AreWhatFFmpegFinds(name: String, parameters: String) async throws {
        let source = name == "weights" ? "testsrc2=size=416x240:rate=25,fade=in:0:12" : "testsrc2=size=416x240:rate=25"
        try await compare(FFmpegSliceHeaders.encode(source: source, parameters: parameters))
    }

    @Test(arguments: ["gray", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "gbrp"].oneIn(2))
    func lengthsOfEveryChromaFormat(format: String) async throws {
        // The weights that x265 finds for G, B and R are out of range.
        let weights = format == "gbrp" ? "weightp=0" : "weightb=1"
        let parameters = "bframes=3:keyint=10:slices=2:\(weights)"
        let source = "testsrc2=size=410x238:rate=30000/1001,fade=in:0:10"
        let pixels = ["-pix_fmt", format]
        try await compare(FFmpegSliceHeaders.encode(source: source, pixels, parameters: parameters))
    }

    /// Compares every header of a stream.
    private func compare(_ stream: [UInt8]) async throws {
        var sets = HEVCParameterSets()
        var found: [Int] = []
        for nalUnit in try nalUnits(of: stream) {
            _ = try sets.insert(nalUnit)
            guard hevcType(nalUnit) < 32 else { continue }
            let header = try HEVCSliceHeader(nalUnit, parameterSets: sets)
            found.append(header.bitCount + 16)
            let contents = nalUnit.unescaped
            #expect(header.byteCount == contents.escapedCount(of: (header.bitCount + 16) / 8 + 1))
            #expect(header.byteCount < nalUnit.count)
        }
        #expect(found.count >= 12)
        #expect(try await FFmpegSliceHeaders.headerBits(of: stream) == found)
    }

    @Test func aHeaderCutShortIsAnError() throws {
        for seed in 0..<40 as Range<UInt64> {
            var stream = SyntheticHEVC(seed: seed, hasScreenContent: false)
            let sets = try parameterSets(of: stream)
            let slice = stream.slice(isFirst: false)
            for count in 0..<slice.byteCount {
                let bytes = Array(slice.nalUnit.prefix(count))
                #expect(throws: CodecError.truncated, "seed \(seed), \(count) bytes") {
                    try HEVCSliceHeader(bytes, parameterSets: sets)
                }
            }
        }
    }

    @Test func aSliceWithoutItsParameterSetsIsAnError() throws {
        var stream = SyntheticHEVC(seed: 7, hasScreenContent: false)
        let slice = stream.slice(isFirst: true).nalUnit
        let missing = CodecError.missingParameterSet(pictureParameterSetID: stream.pictureID)
        var sets = HEVCParameterSets()
        #expect(throws: missing) { try HEVCSliceHeader(slice, parameterSets: sets) }
        _ = try sets.insert(stream.pictureParameterSet)
        #expect(throws: missing) { try HEVCSliceHeader(slice, parameterSets: sets) }
        #expect(try HEVCSliceHeader.pictureParameterSetID(of: slice.span.bytes) == stream.pictureID)
    }

    @Test func theAlignmentIsPartOfTheHeader() throws {
        var stream = SyntheticHEVC(seed: 3, hasScreenContent: false)
        let sets = try parameterSets(of: stream)
        var hasWholeBytes = false
        for _ in 0..<200 {
            let slice = stream.slice(isFirst: true)
            guard slice.bitCount % 8 == 0 else { continue }
            hasWholeBytes = true
            let header = try HEVCSliceHeader(slice.nalUnit, parameterSets: sets)
            #expect(slice.nalUnit[header.byteCount - 1] == 0x80)
        }
        #expect(hasWholeBytes)
    }
}
