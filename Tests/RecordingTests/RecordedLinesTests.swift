import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

/// Playlists of the past list everything as it was live, wherever they begin and end.
@Suite(.timeLimit(.minutes(5))) struct RecordedLinesTests {
    private static let video = RecordedChannel.video
    private static let audio = RecordedChannel.audio
    private static let playlists = [video, audio, video.iFrames]

    /// Publishes two blocks and parts of two others, with everything in them that lines can say.
    static func publish(_ channel: inout RecordedChannel, count: Int = 600, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var period: Int64?
        var fingerprint = "1"
        for index in 0..<count {
            let isFirst = index == 0
            if Int.random(in: 0..<20, using: &generator) == 0 {
                period = Bool.random(using: &generator) ? Int64(index) : nil
            }
            let startsDiscontinuity = !isFirst && Int.random(in: 0..<30, using: &generator) == 0
            if startsDiscontinuity { fingerprint = "\(index)" }
            var ranges = DateRangeLines()
            if Int.random(in: 0..<10, using: &generator) == 0 {
                let start = MediaTime(seconds: channel.number * 4)
                ranges = DateRangeLines(above: [
                    DateRange(id: "\(index)", start: start, duration: MediaTime(seconds: 9))
                ])
            }
            let gaps = [video, audio].filter { _ in !isFirst && Int.random(in: 0..<12, using: &generator) == 0 }
            try channel.publish(
                gaps: Set(gaps),
                startsDiscontinuity: startsDiscontinuity,
                period: period,
                fingerprint: fingerprint,
                dateRanges: ranges
            )
        }
        channel.finish()
    }

    @Test(arguments: 1...3)
    func theyAreThoseOfTheLivePlaylist(seed: UInt64) throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try Self.publish(&channel, seed: seed)
        let live = try Self.playlists.map { try channel.live($0) }
        for (id, playlist) in zip(Self.playlists, live) {
            #expect(playlist.segments.count == 600)
            #expect(try channel.recording.playlist(id, channel.numbers).segments == playlist.segments, "\(id)")
        }
        // The same from the disk, and from lines that are made again.
        let again = try disk.openRecording()
        disk.remove(all: "/lines")
        let anew = try disk.openRecording()
        var generator = SeededGenerator(seed: seed)
        for recording in [channel.recording, again, anew] { #expect(recording.extent == channel.numbers) }
        for _ in 0..<20 {
            let bounds = (0..<2).map { _ in Int.random(in: 0...600, using: &generator) }.sorted()
            let first = MediaSequenceNumber(RecordedChannel.first)
            let numbers = first.advanced(by: Int64(bounds[0]))..<first.advanced(by: Int64(bounds[1]))
            for (id, playlist) in zip(Self.playlists, live) {
                let text = try channel.recording.text(id, numbers)
                let part = try MediaPlaylist(recorded: text)
                #expect(part.segments == Array(playlist.segments[bounds[0]..<bounds[1]]), "\(id) \(numbers)")
                for recording in [again, anew] { #expect(try recording.text(id, numbers) == text, "\(id) \(numbers)") }
            }
        }
    }

    @Test func theyTellWhatAPlaylistOfThemNeeds() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try Self.publish(&channel, seed: 4)
        let live = try channel.live(Self.video)
        let lines = try disk.openRecording().lines(of: Self.video, in: channel.numbers)
        #expect(lines.map(\.numbers.count) == [32, 256, 256, 56])
        #expect(lines.map { $0.gzip == nil } == [false, false, false, true])
        var discontinuities = 0
        var segments = live.segments[...]
        for lines in lines {
            let own = segments.prefix(lines.numbers.count)
            segments = segments.dropFirst(lines.numbers.count)
            #expect(lines.discontinuitiesBefore == discontinuities)
            #expect(lines.discontinuities == own.count { $0.startsDiscontinuity })
            #expect(lines.duration == MediaTime(seconds: 4) * Int64(own.count))
            #expect(lines.longest == MediaTime(seconds: 4))
            #expect(lines.programDateTime == own.first?.programDateTime)
            #expect(lines.version == 6)
            if let gzip = lines.gzip { #expect(gzip.count == lines.text.readableBytes) }
            discontinuities += lines.discontinuities
        }
    }

    @Test func aRenditionThatComesAndGoesIsAGapWhereItIsAbsent() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        channel.declare([Self.video])
        for index in 0..<40 { try channel.publish([Self.video], startsDiscontinuity: index == 3) }
        channel.declare([Self.video, Self.audio])
        for _ in 0..<10 { try channel.publish() }
        channel.declare([Self.video])
        for index in 0..<300 { try channel.publish([Self.video], startsDiscontinuity: index == 5) }
        channel.finish()
        for recording in [channel.recording, try disk.openRecording()] {
            let video = try recording.playlist(Self.video, channel.numbers)
            let audio = try recording.playlist(Self.audio, channel.numbers)
            #expect(audio.segments.map(\.isGap) == (0..<350).map { !(40..<50).contains($0) })
            #expect(audio.segments.map(\.programDateTime) == video.segments.map(\.programDateTime))
            #expect(audio.segments.map(\.startsDiscontinuity) == video.segments.map(\.startsDiscontinuity))
        }
    }

    @Test func slotsThatAreMissingAreGaps() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        for _ in 0..<5 { try channel.publish() }
        // Some of a block, and later two blocks and some of others.
        try channel.skip(20)
        for _ in 0..<5 { try channel.publish() }
        try channel.skip(700)
        for _ in 0..<5 { try channel.publish(fingerprint: "2") }
        channel.finish()
        for recording in [channel.recording, try disk.openRecording()] {
            let playlist = try recording.playlist(Self.video, channel.numbers)
            #expect(playlist.segments.count == 735)
            let media = playlist.segments.indices.filter { !playlist.segments[$0].isGap }
            #expect(media == Array(0..<5) + Array(25..<30) + Array(730..<735))
            // Only where the configuration is another one.
            let discontinuities = playlist.segments.indices.filter { playlist.segments[$0].startsDiscontinuity }
            #expect(discontinuities == [730])
            let number = Int(RecordedChannel.first)
            #expect(playlist.segments.map(\.uri) == (0..<735).map { "video-1080p/\(number + $0).m4s" })
            let numbers = try recording.slots(in: channel.numbers).map { Int($0.number.value) - number }
            #expect(numbers == media)
        }
    }

    @Test func keysEndWhereTheBlockBelowIsClear() throws {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording())
        for index in 0..<64 { try channel.publish(period: index < 32 ? 7 : nil) }
        channel.finish()
        let lines = try channel.recording.lines(of: Self.video, in: channel.numbers)
        #expect(lines.map(\.scope) == ["", "#EXT-X-KEY:METHOD=NONE\n"])
        let playlist = try channel.recording.playlist(Self.video, channel.numbers)
        #expect(playlist.segments.map(\.keys.isEmpty) == (0..<64).map { $0 >= 32 })
    }

    /// With AES-128 the initialization section is in the clear: keys of the block above must not cover it.
    @Test func clearMapsStayClearAcrossBlocks() throws {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording())
        for index in 0..<320 { try channel.publish(period: index < 100 ? 7 : 8, hasClearMap: true) }
        channel.finish()
        let live = try channel.live(Self.video)
        let playlist = try channel.recording.playlist(Self.video, channel.numbers)
        #expect(playlist.segments == live.segments)
        #expect(playlist.segments.allSatisfy { $0.map?.keys == [] && !$0.keys.isEmpty })
    }

    @Test func keysAreNamedAsLivePlaylistsNameThem() throws {
        let disk = MemoryFileSystem()
        func key(_ addresses: KeyAddresses) throws -> String {
            let text = try disk.openRecording(keyAddresses: addresses).lines(
                of: Self.video,
                in: MediaSequenceNumber(RecordedChannel.first)..<MediaSequenceNumber(RecordedChannel.first + 1)
            )
            return String(buffer: try #require(text.first).text).split(separator: "\n").first { $0.contains("KEY") }
                .map(String.init) ?? ""
        }
        var channel = RecordedChannel(try disk.openRecording())
        for _ in 0..<40 { try channel.publish(period: 7) }
        channel.finish()
        #expect(try key(KeyAddresses()).contains("URI=\"../../keys/7\""))
        // The lines on the disk are those of other addresses.
        let base = "https://keys.example.com"
        #expect(try key(KeyAddresses(base: base)).contains("URI=\"https://keys.example.com/keys/7\""))
        let variable = KeyAddresses(base: base, usesVariables: true)
        #expect(try key(variable).contains("URI=\"{$key-url}/keys/7\""))
    }

    @Test func declarationsAndDateRangesAreThoseOfTheirTime() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        let start = MediaTime(seconds: RecordedChannel.first * 4)
        var ranges = DateRangeLines()
        ranges.above = [
            DateRange(id: "short", start: start, duration: MediaTime(seconds: 20)),
            DateRange(id: "long", start: start, duration: MediaTime(seconds: 400)),
        ]
        try channel.publish(dateRanges: ranges)
        try channel.publish(count: 39)
        channel.presentation.finish()
        channel.declare([Self.video])
        for _ in 0..<300 { try channel.publish([Self.video]) }
        channel.finish()
        for recording in [channel.recording, try disk.openRecording()] {
            func declared(_ offset: Int64) throws -> [RenditionID] {
                let number = MediaSequenceNumber(RecordedChannel.first + offset)
                let declaration = try #require(try recording.declaration(at: number))
                let text = try #require(declaration.multivariants[.everyPlayer])
                let playlist = try MultivariantPlaylist(parsing: text)
                #expect(text.contains("AVERAGE-BANDWIDTH="))
                #expect(playlist.renditions.count == declaration.renditions.count - 1)
                return declaration.renditions.map(\.id)
            }
            func open(_ offset: Int64) throws -> [String] {
                try recording.dateRanges(openAt: MediaSequenceNumber(RecordedChannel.first + offset)).map(\.id)
            }
            #expect(try declared(0) == [Self.video, Self.audio])
            #expect(try declared(39) == [Self.video, Self.audio])
            #expect(try declared(40) == [Self.video])
            #expect(try declared(339) == [Self.video])
            #expect(try open(0) == [])
            #expect(try open(3) == ["short", "long"])
            #expect(try open(31) == ["long"])
            #expect(try open(60) == ["long"])
            #expect(try open(120) == [])
        }
    }
}
