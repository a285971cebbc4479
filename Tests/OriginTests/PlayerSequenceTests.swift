import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHPACK
import Playlists
import Presentation
import Testing

@testable import Origin

/// Requests in the order in which players in low-latency mode make them, over HTTP/2.
@Suite struct PlayerSequenceTests {
    private static let renditions: [RenditionID] = ["video-1080p", "audio-en"]
    private static let video = "video-1080p.m3u8"
    /// Parts of a second in a slot.
    private static let partCount = 4
    /// The slot that comes next; those before it last two minutes.
    private static let next = Fixture.first + 30

    /// A channel with a window from which delta updates skip segments, and a player.
    private struct Stage {
        let presentation: Presentation
        let player: PlayerConnection

        init() throws {
            var configuration = Fixture.configuration(name: "live")
            configuration.partTarget = MediaTime(seconds: 1)
            configuration.windowDuration = MediaTime(seconds: 120)
            presentation = Presentation(configuration: configuration, texts: .inline)
            try Fixture.publish(in: presentation, 0..<30)
            let server = OriginServer(
                configuration: OriginConfiguration(port: 0),
                channels: [OriginChannel(name: "live", presentation: presentation)],
                now: { MediaTime(seconds: PlayerSequenceTests.next * 4) },
                logger: Logger(label: "origin") { _ in LogLines(level: .info) }
            )
            player = try PlayerConnection(to: server.responder)
        }

        /// Publishes a part of each rendition.
        func publishPart(_ index: Int, of slot: Int64 = PlayerSequenceTests.next) throws {
            for id in PlayerSequenceTests.renditions {
                var part = PublishedPart(
                    number: MediaSequenceNumber(slot),
                    index: index,
                    duration: SegmentDuration(value: 1, timescale: 1),
                    isIndependent: index == 0,
                    content: .media(ByteBuffer(string: "\(id) \(slot).\(index)")),
                    opening: index > 0
                        ? nil
                        : PublishedPart.Opening(
                            programDateTime: MediaTime(seconds: slot * 4),
                            startsDiscontinuity: false,
                            initialization: nil,
                            keys: []
                        )
                )
                part.isLast = index == PlayerSequenceTests.partCount - 1
                try presentation.publish(part, of: id)
            }
        }

        func publishSlot(_ slot: Int64 = PlayerSequenceTests.next) throws {
            let index = slot - Fixture.first
            try Fixture.publish(in: presentation, index..<index + 1)
        }
    }

    private static func line(_ slot: Int64, _ index: Int) -> String { "URI=\"video-1080p/\(slot).\(index).m4s\"" }

    // MARK: Shaka Player

    /// It asks for the next part and a delta update at once, and for parts once they are listed.
    @Test func shakaPlayerIsServedByPartsAndDeltas() throws {
        let stage = try Stage()
        let player = stage.player
        for path in ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8", "video-1080p/init.mp4", "audio-en/init.mp4"] {
            #expect(try player.got(path).status == "200", "\(path)")
        }
        for index in 0..<Self.partCount {
            let directives = "?_HLS_msn=\(Self.next)&_HLS_part=\(index)&_HLS_skip=YES"
            let reloads = try Self.renditions.map { try player.get("\($0).m3u8\(directives)") }
            for reload in reloads { #expect(try !player.hasResponse(to: reload)) }
            try stage.publishPart(index)
            for (id, reload) in zip(Self.renditions, reloads) {
                let response = try #require(try player.response(to: reload))
                #expect(response.status == "200")
                #expect(response.fields["cache-control"] == ["public, max-age=36"])
                #expect(response.fields["priority"] == ["u=1"])
                #expect(response.text.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS="))
                #expect(response.text.contains("URI=\"\(id)/\(Self.next).\(index).m4s\""))
                let part = try player.got("\(id)/\(Self.next).\(index).m4s")
                #expect(part.text == "\(id) \(Self.next).\(index)")
            }
        }
        // It counts on from the hint, which is of the next slot.
        let reload = try player.get("\(Self.video)?_HLS_msn=\(Self.next + 1)&_HLS_part=0&_HLS_skip=YES")
        try stage.publishSlot()
        #expect(try !player.hasResponse(to: reload))
        try stage.publishPart(0, of: Self.next + 1)
        let text = try #require(try player.response(to: reload)).text
        #expect(text.contains("video-1080p/\(Self.next).m4s") && text.contains(Self.line(Self.next + 1, 0)))
    }

    // MARK: Safari

    /// It has the reload of each rendition and what each hints at under way at the same time.
    @Test func safariLoadsHintsWhileItsReloadsWait() throws {
        let stage = try Stage()
        let player = stage.player
        for path in ["index.m3u8", Self.video, "audio-en.m3u8"] { #expect(try player.got(path).status == "200") }
        for index in 0..<Self.partCount {
            let directives = "?_HLS_msn=\(Self.next)&_HLS_part=\(index)&_HLS_skip=v2"
            let reloads = try Self.renditions.map { try player.get("\($0).m3u8\(directives)") }
            let hints = try Self.renditions.map { try player.get("\($0)/\(Self.next).\(index).m4s") }
            for request in reloads + hints { #expect(try !player.hasResponse(to: request)) }
            // What can be had is not held up by what waits on the same connection.
            #expect(try player.got("video-1080p/\(Self.next - 1).m4s").text == "0123456789")
            try stage.publishPart(index)
            for (id, hint) in zip(Self.renditions, hints) {
                #expect(try player.response(to: hint)?.text == "\(id) \(Self.next).\(index)")
            }
            for reload in reloads {
                let response = try #require(try player.response(to: reload))
                #expect(response.text.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS="))
                #expect(response.text.contains("#EXT-X-PRELOAD-HINT:TYPE=PART"))
            }
        }
    }

    /// Between a segment and the first part of the next one it asks for the segment that follows, without a part.
    ///
    /// That waits for all of it (RFC 8216bis § 6.2.5.2), while the hint has the first part as soon as it is there.
    @Test func safariHasTheFirstPartBehindASegment() throws {
        let stage = try Stage()
        let player = stage.player
        for index in 0..<Self.partCount { try stage.publishPart(index) }
        try stage.publishSlot()
        let (slot, playlist) = (Self.next + 1, try player.got(Self.video).text)
        #expect(playlist.contains("#EXT-X-PRELOAD-HINT:TYPE=PART,\(Self.line(slot, 0))"))
        let segment = try player.get("\(Self.video)?_HLS_msn=\(slot)")
        let hint = try player.get("video-1080p/\(slot).0.m4s")
        for request in [segment, hint] { #expect(try !player.hasResponse(to: request)) }
        try stage.publishPart(0, of: slot)
        #expect(try player.response(to: hint)?.text == "video-1080p \(slot).0")
        // With the part that it has, it asks as ever.
        let part = try player.get("\(Self.video)?_HLS_msn=\(slot)&_HLS_part=1")
        for request in [segment, part] { #expect(try !player.hasResponse(to: request)) }
        try stage.publishPart(1, of: slot)
        #expect(try #require(try player.response(to: part)).text.contains(Self.line(slot, 1)))
        #expect(try !player.hasResponse(to: segment))
        for index in 2..<Self.partCount { try stage.publishPart(index, of: slot) }
        try stage.publishSlot(slot)
        let text = try #require(try player.response(to: segment)).text
        #expect(text.contains("\nvideo-1080p/\(slot).m4s"))
        #expect(text.contains("#EXT-X-PRELOAD-HINT:TYPE=PART,\(Self.line(slot + 1, 0))"))
    }
}
