import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Presentation

/// Playlists with parts (RFC 8216bis § 4.4.4.9).
@Suite struct LowLatencyPlaylistTests {
    private static let path = "video-1080p.m3u8"
    private static let first = Channel.firstNumber
    private static let subtitles = RenditionDescription(
        id: "text-en",
        kind: .text(.webVTT),
        format: .webVTT,
        codecs: ["wvtt"]
    )

    // MARK: Parts

    @Test func eachPublicationAppendsItsLines() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        var before = channel.text(Self.path).withoutHints
        func appended(_ channel: Channel) -> String {
            let after = channel.text(Self.path).withoutHints
            #expect(after.hasPrefix(before + "\n"))
            defer { before = after }
            return String(after.dropFirst(before.count + 1))
        }
        for _ in 0..<3 {
            let number = channel.nextNumber
            for index in 0..<Channel.partCount {
                try channel.tell([Channel.video], parts: index..<index + 1)
                let lines = appended(channel)
                #expect(lines.contains("#EXT-X-PART:DURATION=1.000000,URI=\"video-1080p/\(number).\(index).m4s\""))
                #expect(lines.contains("INDEPENDENT=YES") == (index == 0))
                #expect(
                    lines.split(separator: "\n").count == (index == 0 ? 2 : 1),
                    "the date comes with the first part"
                )
                let hint = channel.text(Self.path).lines("#EXT-X-PRELOAD-HINT")
                #expect(hint == ["#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"video-1080p/\(number).\(index + 1).m4s\""])
            }
            try channel.publish()
            #expect(appended(channel) == "#EXTINF:4.000000,\nvideo-1080p/\(number).m4s")
            let hint = channel.text(Self.path).lines("#EXT-X-PRELOAD-HINT")
            #expect(hint == ["#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"video-1080p/\(number + 1).0.m4s\""])
        }
    }

    @Test func aLastPartIsFollowedByTheHintAtTheNextSlot() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        var part = Channel.part(channel.nextNumber, 0)
        part.isLast = true
        try channel.presentation.publish(part, of: Channel.video)
        let hint = try channel.playlist().hints.map(\.uri)
        #expect(hint == ["video-1080p/\(channel.nextNumber + 1).0.m4s"])
    }

    @Test func discontinuityKeyAndMapStandAboveTheFirstPart() throws {
        var channel = Channel.lowLatency()
        try channel.tell(keyPeriod: 1)
        try channel.publish(keyPeriod: 1)
        try channel.tell([Channel.video], parts: 0..<1, startsDiscontinuity: true, keyPeriod: 2)
        let before = channel.text(Self.path).withoutHints
        let open = try #require(channel.playlist().openSegments.first)
        #expect(open.startsDiscontinuity)
        #expect(open.keys == [.ofPeriod(2)])
        #expect(open.map?.uri == "video-1080p/init-2.mp4")
        #expect(open.programDateTime == MediaTime(seconds: channel.nextNumber * 4))
        // The map can be had before the slot is there.
        let map = try #require(channel.resource("video-1080p/init-2.mp4").resource)
        #expect(map.kind == .initialization)
        try channel.tell([Channel.video], parts: 1..<4)
        try channel.publish(startsDiscontinuity: true, keyPeriod: 2)
        let after = channel.text(Self.path).withoutHints
        #expect(after.hasPrefix(before))
        #expect(after.lines("#EXT-X-MAP").count == 2)
        #expect(after.lines("#EXT-X-KEY").count == 2)
        #expect(channel.resource("video-1080p/init-2.mp4").resource?.entityTag == map.entityTag)
    }

    /// Across a boundary of the blocks that lines are kept in.
    @Test func onlyTheNewestThreeTargetDurationsHaveParts() throws {
        var channel = Channel.lowLatency(window: 400)
        var classic = Channel(window: MediaTime(seconds: 400))
        for _ in 0..<110 {
            try channel.tellAndPublish()
            try classic.publish()
            var playlist = try channel.playlist()
            var length = MediaTime.zero
            for index in playlist.segments.indices.reversed() {
                let count = length < MediaTime(seconds: 18) ? Channel.partCount : 0
                try #require(playlist.segments[index].parts.count == count)
                playlist.segments[index].parts = []
                length += playlist.segments[index].duration.time
            }
            #expect(try playlist.segments == classic.playlist().segments)
            #expect(try playlist.mediaSequence == classic.playlist().mediaSequence)
        }
    }

    @Test func aSourceThatDiesLeavesGaps() throws {
        var channel = Channel.lowLatency()
        try channel.tell(keyPeriod: 1)
        try channel.publish(keyPeriod: 1)
        let number = channel.nextNumber
        try channel.tell([Channel.audio], startsDiscontinuity: true, keyPeriod: 2)
        try channel.tell([Channel.video], parts: 0..<2, startsDiscontinuity: true, keyPeriod: 2)
        for index in 2..<4 {
            try channel.presentation.publish(Channel.part(number, index, isGap: true), of: Channel.video)
        }
        let before = channel.text(Self.path).withoutHints
        try channel.publish(gaps: [Channel.video], startsDiscontinuity: true, keyPeriod: 2)
        let after = channel.text(Self.path).withoutHints
        #expect(after == before + "\n#EXT-X-GAP\n#EXTINF:4.000000,\nvideo-1080p/\(number).m4s")
        let segment = try #require(channel.playlist().segments.last)
        #expect(segment.isGap)
        #expect(segment.parts.map(\.isGap) == [false, false, true, true])
        #expect(segment.keys == [.ofPeriod(2)], "what stands above its parts stays")
        #expect(channel.resource("video-1080p/\(number).1.m4s").resource?.byteCount == 250)
        #expect(channel.resource("video-1080p/\(number).2.m4s") == .notFound(.gap))
        #expect(channel.resource("video-1080p/init-2.mp4").resource != nil)
        #expect(channel.presentation.slotsWithKeys.contains(MediaSequenceNumber(number)))
        // A later process has the section as well.
        #expect(channel.presentation.restorable.bodies["video-1080p/init-2.mp4"] != nil)
    }

    /// The rest of the slot is gaps, and the backup's pictures need another decoder.
    @Test func hintAndHoldBackAreRightThroughoutAFailover() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish()
        let number = channel.nextNumber
        let control = channel.text(Self.path).lines("#EXT-X-SERVER-CONTROL")
        #expect(control.count == 1 && control[0].hasSuffix(",PART-HOLD-BACK=3.000000"))
        func expectHint(_ slot: Int64, _ index: Int, in channel: Channel) {
            let text = channel.text(Self.path)
            let hint = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"video-1080p/\(slot).\(index).m4s\""
            #expect(text.lines("#EXT-X-PRELOAD-HINT") == [hint[...]])
            #expect(text.lines("#EXT-X-SERVER-CONTROL") == control)
        }
        try channel.tell([Channel.audio])
        try channel.tell([Channel.video], parts: 0..<2)
        expectHint(number, 2, in: channel)
        for index in 2..<4 {
            expectHint(number, index, in: channel)
            var gap = Channel.part(number, index, isGap: true)
            gap.isLast = index == 3
            try channel.presentation.publish(gap, of: Channel.video)
        }
        expectHint(number + 1, 0, in: channel)
        try channel.publish(gaps: [Channel.video])
        expectHint(number + 1, 0, in: channel)
        try channel.tell(parts: 0..<1, startsDiscontinuity: true, keyPeriod: 2)
        #expect(try channel.playlist().openSegments.map(\.startsDiscontinuity) == [true])
        expectHint(number + 1, 1, in: channel)
    }

    /// Subtitles, or a slow writer, may hold up a slot while the next one is told.
    @Test func theNextSlotIsListedOnceTheOneBeforeIs() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        try channel.tell()
        let before = channel.text(Self.path)
        try channel.tell([Channel.video], parts: 0..<2, ahead: 1)
        #expect(channel.text(Self.path) == before)
        #expect(channel.resource("video-1080p/\(channel.nextNumber + 1).1.m4s").resource != nil)
        try channel.publish()
        let playlist = try channel.playlist()
        #expect(playlist.segments.last?.parts.count == 4)
        #expect(playlist.openSegments.map(\.parts.count) == [2])
        #expect(playlist.hints.map(\.uri) == ["video-1080p/\(channel.nextNumber).2.m4s"])
        try channel.tell([Channel.video], parts: 2..<4)
        #expect(try channel.playlist().openSegments.map(\.parts.count) == [4])
    }

    /// A channel begins with parts, and with whole slots in its playlists.
    @Test func partsBeforeTheFirstPlaylistAreKept() throws {
        var channel = Channel.lowLatency()
        try channel.tell()
        try channel.tell(parts: 0..<2, ahead: 1)
        #expect(channel.text(Self.path).isEmpty)
        #expect(channel.resource("video-1080p/\(channel.nextNumber).0.m4s").resource != nil)
        try channel.publish()
        let playlist = try channel.playlist()
        #expect(playlist.segments.map(\.parts.count) == [4])
        #expect(playlist.openSegments.map(\.parts.count) == [2])
    }

    @Test func partsBeforeTheFirstPlaylistAreFew() throws {
        let channel = Channel.lowLatency()
        let before = channel.presentation.memoryUse.bytes
        for slot in 0..<1000 { try channel.tell(ahead: Int64(slot)) }
        #expect(channel.presentation.memoryUse.bytes - before == 2 * 2 * 1000)
        // Renditions without end are refused.
        var refused = 0
        for number in 0..<1000 {
            do {
                try channel.presentation.publish(Channel.part(1, 0), of: RenditionID("\(number)"))
            } catch {
                #expect(error == .notListed(RenditionID("\(number)")))
                refused += 1
            }
        }
        #expect((1000 - 256..<1000).contains(refused))
    }

    @Test func partsOfAWindowThatIsTakenOverAreListedWithIt() throws {
        var peer = Channel.lowLatency()
        try peer.tellAndPublish(count: 4)
        let channel = Channel.lowLatency(renditions: [])
        for id in [Channel.video, Channel.audio] {
            for index in 0..<2 {
                try channel.presentation.publish(Channel.part(peer.nextNumber, index, of: id), of: id)
            }
        }
        #expect(channel.presentation.restore(peer.presentation.restorable, now: peer.now) == 4)
        #expect(try channel.playlist().openSegments.map(\.parts.count) == [2])
    }

    // MARK: The rest

    @Test func everyPlaylistHasTheSameServerControl() throws {
        var channel = Channel.lowLatency(renditions: [.video, .audio, Self.subtitles])
        let all: [RenditionID] = [Channel.video, Channel.audio, "text-en"]
        try channel.publish(all, picture: 0..<100)
        try channel.tell([Channel.video], parts: 0..<3)
        try channel.tell([Channel.audio], parts: 0..<2)
        let control =
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,CAN-SKIP-DATERANGES=YES,"
            + "HOLD-BACK=18.000000,PART-HOLD-BACK=3.000000"
        for id in all + [Channel.video.iFrames] {
            let text = channel.text("\(id).m3u8")
            #expect(text.lines("#EXT-X-SERVER-CONTROL") == [control[...]])
            let hasParts = id == Channel.video || id == Channel.audio
            #expect(text.lines("#EXT-X-PART-INF").isEmpty != hasParts)
            #expect(text.lines("#EXT-X-PRELOAD-HINT").count == (hasParts ? 1 : 0))
        }
        try channel.publish(all, picture: 0..<100)
        let number = channel.nextNumber
        try channel.tell([Channel.video], parts: 0..<1)
        #expect(
            try channel.playlist().reports == [
                .init(uri: "audio-en.m3u8", lastSequence: MediaSequenceNumber(number - 1), lastPart: 1),
                .init(uri: "text-en.m3u8", lastSequence: MediaSequenceNumber(number - 1), lastPart: nil),
            ]
        )
        try channel.publish(all, picture: 0..<100)
        let reports = try channel.playlist("text-en").reports
        #expect(reports.map(\.uri) == ["video-1080p.m3u8", "audio-en.m3u8"])
        #expect(try channel.playlist(Channel.video.iFrames).reports.isEmpty)
        #expect(try channel.playlist(Channel.video.iFrames).segments.allSatisfy(\.parts.isEmpty))
        channel.presentation.end(now: channel.now)
        for id in all {
            #expect(try channel.playlist(id).hints.isEmpty)
            #expect(try channel.playlist(id).reports.isEmpty)
        }
    }

    /// After a restart, or a slot whose parts were refused, players still look for the part of a report.
    @Test func aReportOfARenditionWithPartsNamesOne() throws {
        var channel = Channel.lowLatency(renditions: [.video, .audio, Self.subtitles])
        let all: [RenditionID] = [Channel.video, Channel.audio, "text-en"]
        for _ in 0..<3 { try channel.publish(all) }
        let newest = MediaSequenceNumber(channel.nextNumber - 1)
        #expect(
            try channel.playlist().reports == [
                .init(uri: "audio-en.m3u8", lastSequence: newest, lastPart: 0),
                .init(uri: "text-en.m3u8", lastSequence: newest, lastPart: nil),
            ]
        )
    }

    /// Consumers copy playlists that say nothing of what only a server can do.
    @Test func consumersGetPlaylistsWithoutParts() throws {
        let copies = StreamLog(.observes, interest: .playlists)
        let texts = StreamLog(.observes, interest: .playlists)
        var channel = Channel.lowLatency(consumers: [copies])
        var classic = Channel(consumers: [texts])
        for _ in 0..<20 {
            try channel.tellAndPublish()
            try classic.publish()
        }
        func all(_ log: StreamLog) -> [[String: String]] {
            log.all.compactMap { publication in
                guard case .playlists(let playlists) = publication else { return nil }
                return playlists.playlists.mapValues { String(buffer: $0.text) }
            }
        }
        #expect(all(copies).count == 20)
        #expect(all(copies) == all(texts))
    }
}
