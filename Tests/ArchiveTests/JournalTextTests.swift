import Archive
import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

@Suite struct JournalTextTests {
    @Test func aHeaderAndTwoChanges() throws {
        let presentation = Presentation(configuration: Feed(nil).presentation.configuration)
        let video = RenditionDescription(
            id: "video-1080p",
            kind: .video,
            codecs: ["avc1.640028"],
            resolution: Resolution(width: 1920, height: 1080),
            frameRate: Ratio(30_000, 1001)
        )
        presentation.declare(renditions: [video])
        var text = JournalText()
        var file = ""
        var written: SavedWindow?
        for number in Int64(10)...12 {
            try presentation.publish(slot(number, isGap: number == 12), now: .zero)
            let window = presentation.saved
            if let written {
                let change = try #require(window.change(since: written))
                file += String(buffer: try text.line(change))
            } else {
                let configuration = ["clock": "pts", "segment-duration": "4"]
                let header = JournalHeader(generation: 7, configuration: configuration, window: window)
                file += String(buffer: try text.line(header))
            }
            written = window
        }
        #expect(
            file == #"""
                79980da3 {"configuration":{"clock":"pts","segment-duration":"4"},"generation":7,"version":2,\#
                "window":{"discontinuities":0,"first":10,"last":10,"meters":{"video-1080p":{"block":[0,1,8,4004000],\#
                "bytes":8,"last":[10,8,4004000],"microseconds":4004000,"peak":16,"targetDuration":6}},\#
                "renditions":[{"codecs":["avc1.640028"],"format":"m4s","frameRate":[30000,1001],"height":1080,\#
                "id":"video-1080p","kind":"video","width":1920}],"sessionKeys":[],"slots":[{"listing":360360,"number":10,\#
                "segments":{"video-1080p":{"bytes":8,"duration":120120,"fingerprint":"avc1-1",\#
                "key":[{"method":"AES-128","uri":"keys/10"}],"kind":"video","map":"video-1080p/init.mp4",\#
                "mapTag":"\"a215339b63d7540d\"","media":10,"start":3600000,"tag":"\"0ca62f2b434588eb\"",\#
                "timescale":30000,"uri":"video-1080p/10.m4s"}}}]}}
                0179bb0d {"head":10,"meters":{"video-1080p":{"block":[0,2,16,8008000],"bytes":16,\#
                "last":[11,8,4004000],"microseconds":8008000,"peak":16,"targetDuration":6}},\#
                "slot":{"discontinuity":true,"listing":720720,"number":11,\#
                "segments":{"video-1080p":{"bytes":8,"duration":120120,"filler":"slate","fingerprint":"avc1-1",\#
                "key":[{"method":"AES-128","uri":"keys/11"}],"kind":"video","map":"video-1080p/init.mp4",\#
                "mapTag":"\"a215339b63d7540d\"","media":11,"start":3960000,"tag":"\"a9367e05c5d5d9c5\"",\#
                "timescale":30000,"uri":"video-1080p/11.m4s"}}}}
                b37d175f {"head":10,"sameKeys":["video-1080p"],"slot":{"listing":1081080,"number":12,\#
                "segments":{"video-1080p":{"duration":120120,"fingerprint":"avc1-1",\#
                "kind":"video","map":"video-1080p/init.mp4","mapTag":"\"a215339b63d7540d\"",\#
                "media":11,"start":4320000,"timescale":30000,"uri":"video-1080p/12.m4s"}}}}

                """#
        )
        #expect(try JournalContents(reading: ByteBuffer(string: file)).window == written)
        for earlier in [Self.withAllKeys, Self.withOneKeyEach] {
            #expect(try JournalContents(reading: ByteBuffer(string: earlier)).window == written)
        }
    }

    /// A record that says that keys are as before is no record of a window without keys.
    @Test(arguments: [true, false])
    func keysThatWereNotThereAreNoKeys(hasKeys: Bool) throws {
        let line = String(try #require(Self.withAllKeys.split(separator: "\n").first).dropFirst(9))
        let header =
            hasKeys ? line : line.replacing(#""key":[{"method":"AES-128","uri":"keys/10"}],"#, with: "")
        let record = #"""
            {"head":10,"sameKeys":["video-1080p"],"slot":{"listing":720720,"number":11,"segments":{"video-1080p":\#
            {"duration":120120,"fingerprint":"avc1-1","kind":"video","map":"video-1080p/init.mp4",\#
            "mapTag":"\"a215339b63d7540d\"","media":11,"start":3960000,"timescale":30000,"uri":"video-1080p/11.m4s"}}}}
            """#
        var window = try JSONDecoder().decode(JournalHeader.self, from: Data(header.utf8)).window
        let change = try JSONDecoder().decode(SavedWindow.Change.self, from: Data(record.utf8))
        if hasKeys {
            try window.apply(change)
        } else {
            #expect(throws: SavedWindow.InapplicableChange.self) { try window.apply(change) }
        }
        #expect(window.lastNumber?.value == (hasKeys ? 11 : 10))
    }

    /// A line of an earlier version, whose changes had all keys.
    private static let withAllKeys = #"""
        4f905585 {"configuration":{"clock":"pts","segment-duration":"4"},"generation":7,"version":1,\#
        "window":{"discontinuities":0,"first":10,"last":10,"meters":{"video-1080p":{"block":[0,1,8,4004000],\#
        "bytes":8,"last":[10,8,4004000],"microseconds":4004000,"peak":16,"targetDuration":6}},\#
        "renditions":[{"codecs":["avc1.640028"],"format":"m4s","frameRate":[30000,1001],"height":1080,\#
        "id":"video-1080p","kind":"video","width":1920}],"sessionKeys":[],"slots":[{"listing":360360,"number":10,\#
        "segments":{"video-1080p":{"bytes":8,"duration":120120,"fingerprint":"avc1-1",\#
        "key":[{"method":"AES-128","uri":"keys/10"}],"kind":"video","map":"video-1080p/init.mp4",\#
        "mapTag":"\"a215339b63d7540d\"","media":10,"start":3600000,"tag":"\"0ca62f2b434588eb\"",\#
        "timescale":30000,"uri":"video-1080p/10.m4s"}}}]}}
        19510c4a {"head":10,"meters":{"video-1080p":{"block":[0,2,16,8008000],"bytes":16,\#
        "last":[11,8,4004000],"microseconds":8008000,"peak":16,"targetDuration":6}},\#
        "slot":{"discontinuity":true,"listing":720720,"number":11,\#
        "segments":{"video-1080p":{"bytes":8,"duration":120120,"filler":"slate","fingerprint":"avc1-1",\#
        "key":[{"method":"AES-128","uri":"keys/11"}],"kind":"video","map":"video-1080p/init.mp4",\#
        "mapTag":"\"a215339b63d7540d\"","media":11,"start":3960000,"tag":"\"a9367e05c5d5d9c5\"",\#
        "timescale":30000,"uri":"video-1080p/11.m4s"}}}}
        d87d5125 {"head":10,"slot":{"listing":1081080,"number":12,\#
        "segments":{"video-1080p":{"duration":120120,"fingerprint":"avc1-1","key":[{"method":"AES-128",\#
        "uri":"keys/11"}],"kind":"video","map":"video-1080p/init.mp4","mapTag":"\"a215339b63d7540d\"",\#
        "media":11,"start":4320000,"timescale":30000,"uri":"video-1080p/12.m4s"}}}}

        """#

    /// A line of an earlier version, which knew of one key a segment.
    private static let withOneKeyEach = #"""
        38247d8d {"configuration":{"clock":"pts","segment-duration":"4"},"generation":7,"version":1,\#
        "window":{"discontinuities":0,"first":10,"last":10,"meters":{"video-1080p":{"block":[0,1,8,4004000],\#
        "bytes":8,"last":[10,8,4004000],"microseconds":4004000,"peak":16,"targetDuration":6}},\#
        "renditions":[{"codecs":["avc1.640028"],"format":"m4s","frameRate":[30000,1001],"height":1080,\#
        "id":"video-1080p","kind":"video","width":1920}],"sessionKeys":[],"slots":[{"listing":360360,"number":10,\#
        "segments":{"video-1080p":{"bytes":8,"duration":120120,"fingerprint":"avc1-1",\#
        "key":{"method":"AES-128","uri":"keys/10"},"kind":"video","map":"video-1080p/init.mp4",\#
        "mapTag":"\"a215339b63d7540d\"","media":10,"start":3600000,"tag":"\"0ca62f2b434588eb\"",\#
        "timescale":30000,"uri":"video-1080p/10.m4s"}}}]}}
        7a87f794 {"head":10,"meters":{"video-1080p":{"block":[0,2,16,8008000],"bytes":16,\#
        "last":[11,8,4004000],"microseconds":8008000,"peak":16,"targetDuration":6}},\#
        "slot":{"discontinuity":true,"listing":720720,"number":11,\#
        "segments":{"video-1080p":{"bytes":8,"duration":120120,"filler":"slate","fingerprint":"avc1-1",\#
        "key":{"method":"AES-128","uri":"keys/11"},"kind":"video","map":"video-1080p/init.mp4",\#
        "mapTag":"\"a215339b63d7540d\"","media":11,"start":3960000,"tag":"\"a9367e05c5d5d9c5\"",\#
        "timescale":30000,"uri":"video-1080p/11.m4s"}}}}
        dbc0c8ad {"head":10,"slot":{"listing":1081080,"number":12,\#
        "segments":{"video-1080p":{"duration":120120,"fingerprint":"avc1-1","key":{"method":"AES-128",\#
        "uri":"keys/11"},"kind":"video","map":"video-1080p/init.mp4","mapTag":"\"a215339b63d7540d\"",\#
        "media":11,"start":4320000,"timescale":30000,"uri":"video-1080p/12.m4s"}}}}

        """#

    private func slot(_ number: Int64, isGap: Bool) -> PublishedSlot {
        PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: number == 11,
            segments: [
                "video-1080p": PublishedSegment(
                    programDateTime: MediaTime(seconds: number * 4),
                    duration: SegmentDuration(value: 120_120, timescale: 30_000),
                    content: isGap ? .gap : .media(ByteBuffer(string: "media \(number)")),
                    initialization: .init(
                        name: "init.mp4",
                        bytes: ByteBuffer(string: "init"),
                        keys: [EncryptionKey(method: .aes128, uri: "keys/\(number)")]
                    ),
                    fingerprint: "avc1-1",
                    keys: [EncryptionKey(method: .aes128, uri: "keys/\(number)")],
                    filler: number == 11 ? .slate : nil
                )
            ]
        )
    }
}
