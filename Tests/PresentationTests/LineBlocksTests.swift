import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression
import Playlists
import TestSupport
import Testing

@testable import Presentation

/// Text from lines that were rendered before equals text that is rendered anew.
@Suite struct LineBlocksTests {
    private static let id = Channel.video

    /// Windows that grow, shrink and begin anew, with everything in them that lines can say.
    @Test(arguments: [false, true], 1...4)
    func keptLinesAreThoseOfAWholeRendering(isIFramesOnly: Bool, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var window = Window()
        var blocks = LineBlocks(length: 16)
        var longest = 0
        for number in Int64(448_812_000)..<448_812_500 {
            window.append(Self.slot(number, using: &generator))
            if window.slots.count > 200 || Int.random(in: 0..<3, using: &generator) == 0 {
                window.removeFirst(min(window.slots.count, Int.random(in: 0..<4, using: &generator)))
            }
            if Int.random(in: 0..<500, using: &generator) == 0 { window.removeFirst(window.slots.count) }
            guard Int.random(in: 0..<8, using: &generator) == 0 else { continue }
            let isEnded = Bool.random(using: &generator)
            let playlist = window.playlist(
                of: Self.id,
                isIFramesOnly: isIFramesOnly,
                targetDuration: 6,
                isEnded: isEnded
            )
            let expected = Self.playlist(window, isIFramesOnly: isIFramesOnly, isEnded: isEnded)
            #expect(playlist?.text(&blocks) == expected?.render())
            longest = max(longest, expected?.segments.count ?? 0)
        }
        #expect(longest > 100)
    }

    @Test func aHeadWithinABlockNamesKeyAndMapAgain() throws {
        var window = Window()
        var blocks = LineBlocks(length: 64)
        for number in 64..<Int64(256) {
            let key = EncryptionKey.ofPeriod(0)
            let line = Self.line(number, key: key, map: MediaInitialization(uri: "init.mp4", keys: [key]))
            window.append(ListedSlot(number, line))
        }
        for _ in 0..<150 {
            let playlist = try #require(window.playlist(of: Self.id, targetDuration: 6, isEnded: false))
            let text = playlist.text(&blocks)
            #expect(text == Self.playlist(window)?.render())
            #expect(text.split(separator: "\n").count { $0.hasPrefix("#EXT-X-KEY") || $0.hasPrefix("#EXT-X-MAP") } == 2)
            window.removeFirst(1)
        }
    }

    /// All segments of a rendition since it was last absent.
    private static func playlist(
        _ window: Window,
        isIFramesOnly: Bool = false,
        isEnded: Bool = false
    ) -> MediaPlaylist? {
        let start = window.slots.lastIndex { $0.segments[id] == nil }.map { $0 + 1 } ?? 0
        let slots = window.slots[start...]
        guard let first = slots.first else { return nil }
        let left = window.slots[..<start].count(where: \.startsDiscontinuity)
        return MediaPlaylist(
            targetDuration: 6,
            mediaSequence: first.number,
            discontinuitySequence: window.discontinuitySequence + left,
            segments: slots.compactMap { slot in
                var line = slot.segments[id]?.line
                if isIFramesOnly {
                    line?.byteRange = slot.segments[id]?.iFrame
                    line?.isGap = slot.segments[id]?.iFrame == nil
                }
                return line
            },
            isIFramesOnly: isIFramesOnly,
            isEnded: isEnded
        )
    }

    /// Keys and maps come and go without regard for what a real stream has.
    private static func slot(_ number: Int64, using generator: inout SeededGenerator) -> ListedSlot {
        let period = number / 20
        let key = Int.random(in: 0..<8, using: &generator) == 0 ? nil : EncryptionKey.ofPeriod(period)
        let mapKey = Int.random(in: 0..<8, using: &generator) == 0 ? nil : key
        let hasMap = Int.random(in: 0..<8, using: &generator) > 0
        let map = hasMap ? MediaInitialization(uri: "\(period)", keys: mapKey.map { [$0] } ?? []) : nil
        var slot = ListedSlot(number, line(number, key: key, map: map))
        slot.startsDiscontinuity = Int.random(in: 0..<20, using: &generator) == 0
        slot.segments[id]?.line.startsDiscontinuity = slot.startsDiscontinuity
        if Int.random(in: 0..<6, using: &generator) == 0 {
            slot.segments[id]?.line.isGap = true
        } else if Int.random(in: 0..<6, using: &generator) > 0 {
            slot.segments[id]?.iFrame = 564..<Int.random(in: 1000..<100_000, using: &generator)
        }
        if Int.random(in: 0..<500, using: &generator) == 0 { slot.segments[id] = nil }
        return slot
    }

    private static func line(_ number: Int64, key: EncryptionKey?, map: MediaInitialization?) -> MediaPlaylist.Segment {
        MediaPlaylist.Segment(
            uri: "\(id)/\(number).m4s",
            duration: SegmentDuration(value: 360_000 + number % 7, timescale: 90_000),
            programDateTime: MediaTime(seconds: number * 4),
            keys: key.map { [$0] } ?? [],
            map: map
        )
    }
}

extension ListedPlaylist {
    /// The rendered text, which must be the text of its compressed form.
    fileprivate func text(_ blocks: inout LineBlocks) -> String {
        var carried = CarriedLines()
        let text = render(&blocks, &carried)
        do {
            #expect(try text.gzip?.inflated == text.body)
        } catch {
            Issue.record(error)
        }
        return String(buffer: text.body)
    }
}

extension ByteBuffer {
    /// The text as a recipient inflates it, with its checksum and length verified.
    fileprivate var inflated: ByteBuffer {
        get throws {
            let channel = EmbeddedChannel(handler: NIOHTTPRequestDecompressor(limit: .none))
            let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Length": "\(readableBytes)"]
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: headers)
            for part in [.head(head), .body(self), .end(nil)] as [HTTPServerRequestPart] {
                try channel.writeInbound(part)
            }
            var text = ByteBuffer()
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                if case .body(let body) = part { text.writeImmutableBuffer(body) }
            }
            return text
        }
    }
}

extension ListedSlot {
    fileprivate init(_ number: Int64, _ line: MediaPlaylist.Segment) {
        self.init(number: MediaSequenceNumber(number), startsDiscontinuity: false)
        segments[Channel.video] = ListedSegment(
            kind: .video,
            line: line,
            byteCount: 100_000,
            mediaNumber: MediaSequenceNumber(number)
        )
    }
}
