import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Testing

@testable import Origin

/// `Priority` and `CMSD-Static`.
@Suite struct StreamObjectTests {
    private static func told(_ answer: Answer) -> [String] {
        answer.fields["Priority"] + answer.fields["CMSD-Static"]
    }

    @Test(arguments: [
        ("/live/index.m3u8", "u=1", "ot=m,sf=h,st=l"), ("/live/video-1080p.m3u8", "u=1", "ot=m,sf=h,st=l"),
        ("/live/video-1080p/init.mp4", "u=2", "ot=i,sf=h,st=l"),
        ("/live/video-1080p/450000009.m4s", "u=3", "ot=v,sf=h,st=l"),
        ("/live/audio-en/450000009.m4s", "u=3", "ot=a,sf=h,st=l"),
        ("/live/keys/\(Fixture.keyID)", "u=1", "ot=k,sf=h,st=l"), ("/live/keys.json", "u=6", "sf=h,st=l"),
    ])
    func eachKindOfObjectIsTold(uri: String, priority: String, cmsd: String) throws {
        let server = try Fixture.server()
        let whole = server.fetch(uri)
        #expect(whole.status == .ok)
        #expect(Self.told(whole) == [priority, cmsd])
        #expect(Self.told(server.fetch(uri, .HEAD)) == [priority, cmsd])
        guard let entityTag = whole.fields.first(name: "ETag") else {
            #expect(uri.contains("/keys"), "\(uri) has no ETag")
            return
        }
        let unchanged = server.fetch(uri, .GET, ["If-None-Match": entityTag])
        #expect(unchanged.status == .notModified)
        #expect(Self.told(unchanged) == [priority, cmsd])
    }

    /// RFC 8216bis Appendix B.1: playlists have 1, media 2 to 6.
    @Test func playlistsAreMoreUrgentThanMedia() throws {
        let types = ["video/mp4", "audio/mp4", "application/mp4", "text/vtt", "video/mp2t", "audio/aac", "audio/mpeg"]
        let contents: [StreamObject.Content] = [.video, .audio, .timedText, .captions, .other, .audio, .audio]
        for (type, content) in zip(types, contents) {
            for kind in [Resource.Kind.segment, .initialization] {
                let body = Body.memory(ByteBuffer(string: "x"))
                let resource = Resource(kind: kind, body: body, contentType: type, entityTag: "\"x\"")
                let object = StreamObject(resource)
                #expect(object.content == (kind == .segment ? content : .initialization), "\(type)")
                #expect(object.urgency == (kind == .segment ? .usual : .next), "\(type)")
            }
        }
        #expect(StreamObject.playlist.urgency.rawValue == 1)
        #expect(StreamObject.Urgency.allCases.dropFirst().allSatisfy { (2...6).contains($0.rawValue) })
    }

    @Test func anObjectHasTheCommonFieldsToo() {
        for content in StreamObject.Content.allCases {
            for urgency in StreamObject.Urgency.allCases {
                let fields = StreamObject(content: content, urgency: urgency).fields
                #expect(fields.count == ResponseFields.common.count + 2)
                #expect(ResponseFields.common.allSatisfy { fields[$0.name] == [$0.value] })
                #expect(fields["Priority"] == ["u=\(urgency.rawValue)"])
            }
        }
    }

    @Test(arguments: ["/none", "/live/none.m3u8", "/live/video-1080p/450000008.m4s", "/channels.json"])
    func nothingElseHasAPriority(uri: String) throws {
        #expect(Self.told(try Fixture.server().fetch(uri)) == [])
    }
}
