import MediaCore
import NIOCore

@testable import Inspection

/// Reads a file whose samples are in tables, as a player does: nothing of it is shared with the writer.
struct MovieReader {
    struct Track {
        var parsed: ParsedTrack
        var samples: [Sample] = []
        var edits: [(duration: Int64, mediaTime: Int64)] = []
        var entryTypes: [FourCC] = []
    }

    struct Sample: Hashable {
        var decodeTime: Int64
        var presentationTime: Int64
        var duration: Int64
        var isSync: Bool
        var entry: Int
        var payload: [UInt8]
    }

    /// A sample that is presented, with the time from the start of the movie, in seconds.
    struct Presented: Hashable {
        var start: Double
        var payload: [UInt8]
    }

    private(set) var tracks: [Track] = []
    private(set) var topLevel: [FourCC] = []
    private(set) var movieTimescale: Int64 = 0
    private(set) var duration: Int64 = 0

    init(_ file: ByteBuffer) throws {
        let boxes = try ParsedBox.boxes(in: file)
        topLevel = boxes.map(\.type)
        guard let movie = boxes.first("moov") else { throw MalformedBoxError(.missing("moov"), at: 0) }
        var header = try movie.child("mvhd").content
        try header.skip(12)
        movieTimescale = Int64(try header.read(UInt32.self))
        duration = Int64(try header.read(UInt32.self))
        for box in try movie.children() where box.type == "trak" { tracks.append(try Self.track(box, of: file)) }
    }

    private static func track(_ box: ParsedBox, of file: ByteBuffer) throws -> Track {
        var track = Track(parsed: try ParsedTrack(box, extends: []))
        let table = try box.child("mdia").child("minf").child("stbl")
        track.entryTypes = try table.child("stsd").children(skipping: 8).map(\.type)
        let sizes = try words(table.child("stsz")).dropFirst(2).map(Int.init)
        let durations = try runs(table.child("stts"))
        let offsets = try table.children().first("ctts").map { try runs($0) }
        let syncs = try table.children().first("stss").map { Set(try words($0).dropFirst()) }
        let places = try places(table, sizes: sizes)
        var decodeTime: Int64 = 0
        for index in sizes.indices {
            let (offset, entry) = places[index]
            let sample = Sample(
                decodeTime: decodeTime,
                presentationTime: decodeTime + (offsets?[index] ?? 0),
                duration: durations[index],
                isSync: syncs?.contains(UInt32(index + 1)) ?? true,
                entry: entry,
                payload: file.getBytes(at: file.readerIndex + offset, length: sizes[index]) ?? []
            )
            track.samples.append(sample)
            decodeTime += durations[index]
        }
        if let edits = try box.children().first("edts") {
            var cursor = try edits.child("elst").content
            try cursor.skip(4)
            for _ in 0..<(try cursor.read(UInt32.self)) {
                track.edits.append((try cursor.read(Int64.self), try cursor.read(Int64.self)))
                try cursor.skip(4)
            }
        }
        return track
    }

    /// The offset and the entry of each sample.
    private static func places(_ table: ParsedBox, sizes: [Int]) throws -> [(offset: Int, entry: Int)] {
        let children = try table.children()
        var chunks: [Int] = []
        if let large = children.first("co64") {
            var cursor = large.content
            try cursor.skip(4)
            for _ in 0..<(try cursor.read(UInt32.self)) { chunks.append(Int(try cursor.read(UInt64.self))) }
        } else {
            chunks = try words(table.child("stco")).dropFirst().map(Int.init)
        }
        let runs = Array(try words(table.child("stsc")).dropFirst())
        var places: [(offset: Int, entry: Int)] = []
        for (index, chunk) in chunks.enumerated() {
            let run = stride(from: 0, to: runs.count, by: 3).reversed().first { runs[$0] <= index + 1 } ?? 0
            var offset = chunk
            for _ in 0..<runs[run + 1] {
                places.append((offset, Int(runs[run + 2])))
                offset += sizes[places.count - 1]
            }
        }
        return places
    }

    /// All values of 32 bits behind version and flags.
    private static func words(_ box: ParsedBox) throws -> [UInt32] {
        var cursor = box.content
        try cursor.skip(4)
        var words: [UInt32] = []
        while cursor.remaining >= 4 { words.append(try cursor.read()) }
        return words
    }

    private static func runs(_ box: ParsedBox) throws -> [Int64] {
        let words = Array(try words(box).dropFirst())
        return stride(from: 0, to: words.count, by: 2).flatMap { index in
            Array(repeating: Int64(words[index + 1]), count: Int(words[index]))
        }
    }

    /// The samples of a track that its edit list shows, in the order of their times.
    func presented(_ index: Int) -> [Presented] {
        let track = tracks[index]
        let timescale = Double(track.parsed.timescale)
        var (now, shown): (Double, [Presented]) = (0, [])
        for edit in track.edits {
            let length = Double(edit.duration) / Double(movieTimescale)
            if edit.mediaTime >= 0 {
                let start = Double(edit.mediaTime) / timescale
                for sample in track.samples {
                    let time = Double(sample.presentationTime) / timescale
                    let end = time + Double(sample.duration) / timescale
                    guard end > start + 0.000_1, time < start + length - 0.000_1 else { continue }
                    shown.append(Presented(start: now + max(0, time - start), payload: sample.payload))
                }
            }
            now += length
        }
        return shown.sorted { $0.start < $1.start }
    }
}
