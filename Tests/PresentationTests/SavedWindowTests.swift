import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@Suite struct SavedWindowTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func textAndBackIsTheSame(seed: UInt64) throws {
        var feed = RandomFeed(seed: seed)
        let presentation = feed.makePresentation()
        for _ in 0..<40 {
            let before = presentation.saved
            let slot = feed.nextSlot()
            if let key = slot.segments[Channel.video]?.keys.first { presentation.setSessionKeys([key]) }
            try presentation.publish(slot, now: feed.now)
            let window = presentation.saved
            #expect(try JSONDecoder().decode(SavedWindow.self, from: JSONEncoder().encode(window)) == window)
            guard let change = window.change(since: before) else { continue }
            #expect(try JSONDecoder().decode(SavedWindow.Change.self, from: JSONEncoder().encode(change)) == change)
        }
    }

    @Test func anEmptyWindowIsSavedToo() throws {
        let window = Channel().presentation.saved
        #expect(try JSONDecoder().decode(SavedWindow.self, from: JSONEncoder().encode(window)) == window)
        #expect(window.lastNumber == nil && window.numbers.isEmpty && window.files.isEmpty)
    }

    @Test func theTextOfAWindow() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        #expect(String(decoding: try encoder.encode(try Self.window()), as: UTF8.self) == Self.text)
    }

    /// A map that its segment's key does not cover: clear, and under a key of its own with an initialization vector.
    @Test func theKeyOfAMapIsSavedWhereItIsAnother() throws {
        let map = #""map" : "video-1080p/init-2.mp4","#
        let own = #""mapKey" : { "iv" : "00000000000000000000000000000003", "method" : "AES-128", "uri" : "keys/2" },"#
        for (more, key) in [("", nil), (#""mapClear" : true,"#, "mapClear"), (own, "mapKey")] {
            let text = Self.text.replacing(map, with: map + more)
            let window = try JSONDecoder().decode(SavedWindow.self, from: Data(text.utf8))
            let again = try JSONEncoder().encode(window)
            #expect(try JSONDecoder().decode(SavedWindow.self, from: again) == window)
            let written = ["mapClear", "mapKey"].filter { String(decoding: again, as: UTF8.self).contains($0) }
            #expect(written == [key].compactMap(\.self))
        }
    }

    @Test func aSegmentMayHaveAKeyForEachSystem() throws {
        let one = #"{ "iv" : "00000000000000000000000000000003", "method" : "SAMPLE-AES", "uri" : "keys/2" }"#
        let other = #"{ "format" : "com.example.system", "method" : "SAMPLE-AES", "uri" : "system://2" }"#
        let map = #""map" : "video-1080p/init-2.mp4","#
        let text = Self.text.replacing(map, with: map + #""mapKey" : [\#(one), \#(other)],"#)
        let window = try JSONDecoder().decode(SavedWindow.self, from: Data(text.utf8))
        #expect(try JSONDecoder().decode(SavedWindow.self, from: JSONEncoder().encode(window)) == window)
        let twice = Data(text.replacing(other, with: one).utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SavedWindow.self, from: twice) }
    }

    @Test func theOneKeyOfAnEarlierVersionIsAListOfOne() throws {
        let earlier = Self.text.replacing("\"key\" : [", with: "\"key\" :").replacing(
            /}\s*\],(?=\s*"kind")/,
            with: "},"
        )
        #expect(earlier != Self.text)
        let window = try JSONDecoder().decode(SavedWindow.self, from: Data(earlier.utf8))
        #expect(window == (try JSONDecoder().decode(SavedWindow.self, from: Data(Self.text.utf8))))
    }

    @Test func howInputsAreChosenIsSavedWithWhatTheyFill() throws {
        let text = Self.text.replacing(
            #""kind" : "video","#,
            with: #""kind" : "video", "selection" : \#(Self.selection),"#
        )
        let window = try JSONDecoder().decode(SavedWindow.self, from: Data(text.utf8))
        let run = MediaSequenceNumber(9)...MediaSequenceNumber(12)
        let selection = SourceSelection(active: .firstBackup, wholeRuns: [nil, run])
        #expect(window.edge(of: Channel.video)?.selection == selection)
        #expect(try JSONDecoder().decode(SavedWindow.self, from: JSONEncoder().encode(window)) == window)
    }

    @Test(arguments: [
        ("[9, 12]", "[12, 9]"), ("[9, 12]", "[9]"), ("[9, 12]", "[-9, 12]"), ("[9, 12]", "[9, 10, 12]"),
        ("1", "-1"),
    ])
    func aSelectionBeyondReasonIsRefused(good: String, bad: String) throws {
        let selection = Self.selection.replacing(good, with: bad, maxReplacements: 1)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SourceSelection.self, from: Data(selection.utf8))
        }
    }

    private static let selection = #"{ "active" : 1, "whole" : [[], [9, 12]] }"#

    @Test func itNamesItsFilesOnceWithTheLastSlotThatNeedsThem() throws {
        let window = try Self.window()
        #expect(
            window.files.map { "\($0.path) \($0.lastNumber)" } == [
                "video-1080p/11.m4s 11", "video-1080p/init-2.mp4 12",
            ]
        )
        #expect(window.files(ofNewest: 1).map(\.path) == ["video-1080p/init-2.mp4"])
    }

    @Test(arguments: [
        (#""number" : 11"#, #""number" : 10"#),
        (#""number" : 11"#, #""number" : -1"#),
        (#""last" : 12"#, #""last" : 13"#),
        (#""first" : 11"#, #""first" : 12"#),
        (#""discontinuities" : 0"#, #""discontinuities" : -1"#),
        (#""timescale" : 1"#, #""timescale" : 0"#),
        (#""duration" : 4"#, #""duration" : -4"#),
        (#""duration" : 4"#, #""duration" : 3601"#),
        (#""duration" : 4"#, #""duration" : 9000000000000000000"#),
        (#""start" : 3960000"#, #""start" : 9000000000000000000"#),
        (#""start" : 4320000"#, #""start" : 328320000"#),
        (#""media" : 11"#, #""media" : 137438953473"#),
        (#""bytes" : 1000,"#, #""bytes" : -1000,"#),
        (#""listing" : 720000"#, #""listing" : -1"#),
        (#""kind" : "video""#, #""kind" : "smell""#),
        (#""uri" : "video-1080p/11.m4s""#, #""uri" : "video-1080p/../11.m4s""#),
        (#""uri" : "video-1080p/11.m4s""#, #""uri" : "video-1080p/..""#),
        (#""uri" : "video-1080p/11.m4s""#, #""uri" : "/etc/passwd""#),
        (#""map" : "video-1080p/init-2.mp4""#, #""map" : "audio-en/init-2.mp4""#),
        (#""id" : "video-1080p""#, #""id" : "..""#),
        (#""method" : "SAMPLE-AES""#, #""method" : "ROT13""#),
        (#""iv" : "00000000000000000000000000000002""#, #""iv" : "2""#),
        (#""peak" : 2000"#, #""peak" : -1"#),
        (#""targetDuration" : 6"#, #""targetDuration" : 0"#),
    ])
    func whatContradictsItselfOrIsBeyondReasonIsRefused(good: String, bad: String) throws {
        #expect(Self.text.contains(good))
        let text = Self.text.replacing(good, with: bad)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SavedWindow.self, from: Data(text.utf8)) }
    }

    @Test(arguments: [(1 << 37, true), (1 << 37 + 1, false), (1 << 54, false), (-1, false)] as [(Int64, Bool)])
    func numbersLeaveRoomForArithmetic(last: Int64, isSensible: Bool) {
        let text =
            #"{"renditions":[],"sessionKeys":[],"meters":{},"slots":[],"discontinuities":0,"first":0,"last":\#(last)}"#
        let window = try? JSONDecoder().decode(SavedWindow.self, from: Data(text.utf8))
        #expect((window != nil) == isSensible)
    }

    @Test func aSegmentThatBeginsFarFromItsSiblingsIsRefused() throws {
        let slots = { (audio: Int64) in
            let lines = [("video-1080p", Int64(3_960_000)), ("audio-en", audio)].map { id, start in
                #""\#(id)":{"kind":"video","uri":"\#(id)/11.m4s","media":11,"start":\#(start),"duration":4,"timescale":1}"#
            }
            let slot = #"{"number":11,"listing":0,"segments":{\#(lines.joined(separator: ","))}}"#
            return #"{"renditions":[],"sessionKeys":[],"meters":{},"discontinuities":0,"first":11,"last":11,"#
                + #""slots":[\#(slot)]}"#
        }
        _ = try JSONDecoder().decode(SavedWindow.self, from: Data(slots(3_960_090).utf8))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SavedWindow.self, from: Data(slots(1_000_000_000).utf8))
        }
    }

    /// Any text that can be read is safe to list, to publish after and to write again.
    @Test func mutatedTextNeverTraps() throws {
        var generator = SeededGenerator(seed: 12)
        let digits = Array("0123456789-e.\"{}[]:,/null".utf8)
        var survivors = 0
        for _ in 0..<400 {
            var text = Array(Self.text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text[index] = digits[Int.random(in: 0..<digits.count, using: &generator)]
                case 1: text.insert(contentsOf: Array("9999999".utf8), at: index)
                default: text.remove(at: index)
                }
            }
            guard let window = try? JSONDecoder().decode(SavedWindow.self, from: Data(text)) else { continue }
            survivors += 1
            let bodies = Dictionary(uniqueKeysWithValues: window.files.map { ($0.path, ByteBuffer(string: "x")) })
            let presentation = Channel().presentation
            var restored = RestoredWindow(window: window, bodies: [:])
            restored.bodies = bodies
            presentation.restore(restored, now: .zero)
            let ends = window.renditions.compactMap { window.edge(of: $0.id)?.exactEnd }
            #expect(ends.count <= window.renditions.count)
            presentation.declare(renditions: [.video])
            let next = window.lastNumber?.next ?? MediaSequenceNumber(0)
            for _ in 0..<2 { try? presentation.publish(.media(next.value), now: .zero) }
            _ = try JSONEncoder().encode(presentation.saved)
        }
        #expect(survivors > 40)
    }

    /// A slot of video, encrypted, and a gap.
    private static func window() throws -> SavedWindow {
        let presentation = Channel(renditions: [.video]).presentation
        presentation.setSessionKeys([.ofPeriod(2)])
        var slot = PublishedSlot.media(11)
        slot.segments[Channel.video]?.keys = [.ofPeriod(2)]
        slot.segments[Channel.video]?.filler = .hold
        slot.segments[Channel.video]?.initialization = .init(
            name: "init-2.mp4",
            bytes: ByteBuffer(string: "init"),
            keys: [.ofPeriod(2)]
        )
        slot.segments[Channel.video]?.fingerprint = "avc1"
        try presentation.publish(slot, now: .zero)
        try presentation.publish(.gap(12, isDiscontinuity: true), now: .zero)
        return presentation.saved
    }

    private static let text = #"""
        {
          "discontinuities" : 0,
          "first" : 11,
          "last" : 12,
          "meters" : {
            "video-1080p" : {
              "block" : [
                0,
                1,
                1000,
                4000000
              ],
              "bytes" : 1000,
              "last" : [
                11,
                1000,
                4000000
              ],
              "microseconds" : 4000000,
              "peak" : 2000,
              "targetDuration" : 6
            }
          },
          "renditions" : [
            {
              "codecs" : [
                "avc1.640028"
              ],
              "format" : "m4s",
              "frameRate" : [
                25,
                1
              ],
              "height" : 1080,
              "id" : "video-1080p",
              "kind" : "video",
              "width" : 1920
            }
          ],
          "sessionKeys" : [
            {
              "iv" : "00000000000000000000000000000002",
              "method" : "SAMPLE-AES",
              "uri" : "keys/2"
            }
          ],
          "slots" : [
            {
              "listing" : 720000,
              "number" : 11,
              "segments" : {
                "video-1080p" : {
                  "bytes" : 1000,
                  "duration" : 4,
                  "filler" : "hold",
                  "fingerprint" : "avc1",
                  "key" : [
                    {
                      "iv" : "00000000000000000000000000000002",
                      "method" : "SAMPLE-AES",
                      "uri" : "keys/2"
                    }
                  ],
                  "kind" : "video",
                  "map" : "video-1080p/init-2.mp4",
                  "mapTag" : "\"a215339b63d7540d\"",
                  "media" : 11,
                  "start" : 3960000,
                  "tag" : "\"57d0ccca9ade2abc\"",
                  "timescale" : 1,
                  "uri" : "video-1080p/11.m4s"
                }
              }
            },
            {
              "discontinuity" : true,
              "listing" : 720000,
              "number" : 12,
              "segments" : {
                "video-1080p" : {
                  "duration" : 4,
                  "fingerprint" : "avc1",
                  "key" : [
                    {
                      "iv" : "00000000000000000000000000000002",
                      "method" : "SAMPLE-AES",
                      "uri" : "keys/2"
                    }
                  ],
                  "kind" : "video",
                  "map" : "video-1080p/init-2.mp4",
                  "mapTag" : "\"a215339b63d7540d\"",
                  "media" : 11,
                  "start" : 4320000,
                  "timescale" : 1,
                  "uri" : "video-1080p/12.m4s"
                }
              }
            }
          ]
        }
        """#
}
