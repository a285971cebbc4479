import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct ProgressiveMovieTests {
    private func track(_ samples: [ProgressiveMovie.Sample], entries: Int = 1) throws -> ProgressiveMovie.Track {
        let entry = CodecConfiguration.aac(Fixture.aac).sampleEntry(encryption: nil)
        let bytes = ByteBuffer(initialCapacity: entry.byteCount) { span in entry.encode(into: &span) }
        return ProgressiveMovie.Track(
            kind: .audio,
            timescale: 48_000,
            language: nil,
            placement: PicturePlacement(width: 0, height: 0),
            entries: Array(repeating: bytes, count: entries),
            samples: samples,
            edits: [.init(duration: 90, mediaTime: nil), .init(duration: 180, mediaTime: 5)]
        )
    }

    private func sample(
        _ size: UInt32,
        duration: UInt32 = 1024,
        offset: UInt32 = 0,
        isSync: Bool = true
    ) -> ProgressiveMovie.Sample {
        ProgressiveMovie.Sample(duration: duration, compositionOffset: offset, size: size, isSync: isSync)
    }

    /// Parses the head up to the header of the media, which is not there.
    private func movieBox(of movie: ProgressiveMovie) throws -> ParsedBox {
        let head = movie.head()
        let fileType = try #require(head.getInteger(at: head.readerIndex, as: UInt32.self))
        let size = try #require(head.getInteger(at: head.readerIndex + Int(fileType), as: UInt32.self))
        let boxes = try #require(head.getSlice(at: head.readerIndex, length: Int(fileType + size)))
        return try #require(try ParsedBox.boxes(in: boxes).first("moov"))
    }

    /// The content of a box of a sample table.
    private func table(_ type: FourCC, _ movie: ProgressiveMovie, track: Int = 0) throws -> String? {
        let box = try movieBox(of: movie)
        let tracks = try box.children().filter { $0.type == "trak" }
        return try tracks[track].child("mdia").child("minf").child("stbl").children().first(type)?.contentBytes.hex
    }

    @Test func runsOfEqualValuesAreOneEntry() throws {
        let samples = [sample(3), sample(4), sample(5, duration: 7, offset: 2, isSync: false)]
        let movie = ProgressiveMovie(
            tracks: [try track(samples)],
            chunks: [.init(track: 0, sampleCount: 2, entry: 0), .init(track: 0, sampleCount: 1, entry: 0)],
            duration: 270
        )
        #expect(try table("stts", movie) == digits("00000000 00000002 00000002 00000400 00000001 00000007"))
        #expect(try table("ctts", movie) == digits("00000000 00000002 00000002 00000000 00000001 00000002"))
        #expect(try table("stss", movie) == digits("00000000 00000002 00000001 00000002"))
        #expect(try table("stsz", movie) == digits("00000000 00000000 00000003 00000003 00000004 00000005"))
        #expect(
            try table("stsc", movie)
                == digits("00000000 00000002 00000001 00000002 00000001 00000002 00000001 00000001")
        )
    }

    @Test func tablesThatSayNothingAreLeftOut() throws {
        let movie = ProgressiveMovie(
            tracks: [try track([sample(3)])],
            chunks: [.init(track: 0, sampleCount: 1, entry: 0)],
            duration: 270
        )
        #expect(try table("ctts", movie) == nil)
        #expect(try table("stss", movie) == nil)
    }

    @Test func chunksOfTracksTakeTurnsBehindTheHead() throws {
        let movie = ProgressiveMovie(
            tracks: [try track([sample(10), sample(20)], entries: 2), try track([sample(100), sample(200)])],
            chunks: [
                .init(track: 0, sampleCount: 1, entry: 0), .init(track: 1, sampleCount: 1, entry: 0),
                .init(track: 0, sampleCount: 1, entry: 1), .init(track: 1, sampleCount: 1, entry: 0),
            ],
            duration: 270
        )
        let head = movie.head()
        let count = UInt32(head.readableBytes)
        let offsets = { (values: [UInt32]) in
            digits("00000000 0000000\(values.count)") + values.map { ByteBuffer(integer: $0).hex }.joined()
        }
        #expect(try table("stco", movie) == offsets([count, count + 110]))
        #expect(try table("stco", movie, track: 1) == offsets([count + 10, count + 130]))
        // The second chunk of the first track has the second entry.
        #expect(
            try table("stsc", movie)
                == digits("00000000 00000002 00000001 00000001 00000001 00000002 00000001 00000002")
        )
        let size = try #require(head.getInteger(at: head.writerIndex - 8, as: UInt32.self))
        #expect(Int(size) == 8 + 10 + 100 + 20 + 200)
    }

    @Test func editsOfNothingHaveNoMediaTime() throws {
        let movie = ProgressiveMovie(
            tracks: [try track([sample(3)])],
            chunks: [.init(track: 0, sampleCount: 1, entry: 0)],
            duration: 270
        )
        let box = try movieBox(of: movie)
        #expect(
            try box.child("trak").child("edts").child("elst").contentBytes.hex
                == digits(
                    """
                    01000000 00000002 000000000000005a ffffffffffffffff 00010000
                    00000000000000b4 0000000000000005 00010000
                    """
                )
        )
    }

    @Test func mediaOfMoreThanFourGigabytesHasOffsetsOf64Bits() throws {
        let samples = [sample(.max), sample(.max), sample(1)]
        let movie = ProgressiveMovie(
            tracks: [try track(samples)],
            chunks: samples.map { _ in .init(track: 0, sampleCount: 1, entry: 0) },
            duration: 270
        )
        let head = movie.head()
        let count = UInt64(head.readableBytes)
        let offsets = [count, count + 0xFFFF_FFFF, count + 0x1_FFFF_FFFE].map { ByteBuffer(integer: $0).hex }
        #expect(try table("stco", movie) == nil)
        #expect(try table("co64", movie) == digits("00000000 00000003") + offsets.joined())
        #expect(head.getInteger(at: head.writerIndex - 16, as: UInt32.self) == 1)
        #expect(head.getInteger(at: head.writerIndex - 8, as: UInt64.self) == 16 + 0x1_FFFF_FFFF)
    }

    @Test func aDurationBeyond32BitsHasAHeaderOfVersionOne() throws {
        let samples = [sample(1, duration: .max), sample(1, duration: 2)]
        let movie = ProgressiveMovie(
            tracks: [try track(samples)],
            chunks: [.init(track: 0, sampleCount: 2, entry: 0)],
            duration: 270
        )
        let box = try movieBox(of: movie)
        #expect(
            try box.child("trak").child("mdia").child("mdhd").contentBytes.hex
                == digits(
                    "01000000 0000000000000000 0000000000000000 0000bb80 0000000100000001 55c4 0000"
                )
        )
    }
}
