import MediaCore
import Presentation
import Testing

@testable import Origin

@Suite struct ReloadDirectivesTests {
    @Test(
        arguments: [
            ("/live/a.m3u8", nil, nil, nil), ("/live/a.m3u8?", nil, nil, nil), ("/live/a.m3u8?&&=&", nil, nil, nil),
            ("/live/a.m3u8?_HLS_msn=0", 0, nil, nil), ("/live/a.m3u8?_HLS_msn=007", 7, nil, nil),
            ("/live/a.m3u8?_HLS_msn=12&_HLS_part=3", 12, 3, nil), ("/live/a.m3u8?_HLS_part=3&_HLS_msn=12", 12, 3, nil),
            ("/live/a.m3u8?_HLS_msn=9223372036854775807&_HLS_part=9223372036854775807", .max, .max, nil),
            ("/live/a.m3u8?_HLS_skip=YES", nil, nil, .yes), ("/live/a.m3u8?_HLS_skip=v2", nil, nil, .v2),
            ("/live/a.m3u8?token=a=b&_HLS_msn=1&_HLS_part=0&_HLS_skip=v2&x", 1, 0, .v2),
            // Parameters of later versions, and of others.
            ("/live/a.m3u8?_HLS_push=1&_HLS_msn=1&_HLS_report=x&_hls_part=-1&HLS_skip=1", 1, nil, nil),
            ("/live/a.m3u8?x=_HLS_msn=1", nil, nil, nil), ("/live/a.m3u8?_HLS_msn=1#&_HLS_part=x", 1, nil, nil),
        ] as [(String, Int64?, Int?, SkipDirective?)]
    )
    func directivesAreRead(target: String, number: Int64?, part: Int?, skip: SkipDirective?) throws {
        let directives = try ReloadDirectives(target: target)
        #expect(directives.position == number.map { PlaylistPosition(MediaSequenceNumber($0), part: part) })
        #expect(directives.skip == skip)
    }

    @Test(arguments: [
        "_HLS_msn=", "_HLS_msn", "_HLS_msn=-1", "_HLS_msn=+1", "_HLS_msn=1.5", "_HLS_msn=0x10", "_HLS_msn= 1",
        "_HLS_msn=%31", "_HLS_msn=\u{0661}", "_HLS_msn=9223372036854775808", "_HLS_msn=99999999999999999999999999",
        "_HLS_msn=1&_HLS_msn=1", "_HLS_msn=1&_HLS_msn=2", "_HLS_msn=1&_HLS_part=", "_HLS_msn=1&_HLS_part=-1",
        "_HLS_msn=1&_HLS_part=1&_HLS_part=1", "_HLS_msn=1&_HLS_part=9223372036854775808", "_HLS_part=0",
        "_HLS_part=0&_HLS_skip=YES", "_HLS_msn=1&_HLS_skip=no",
    ])
    func whatMeansNothingIsRefused(query: String) {
        #expect(throws: ReloadDirectives.Malformed(isBlocking: true)) {
            try ReloadDirectives(target: "/live/a.m3u8?\(query)")
        }
    }

    @Test(arguments: ["_HLS_skip", "_HLS_skip=", "_HLS_skip=yes", "_HLS_skip=v3", "_HLS_skip=YES&_HLS_skip=v2"])
    func aDeltaUpdateThatIsUnknownIsRefused(query: String) {
        #expect(throws: ReloadDirectives.Malformed(isBlocking: false)) {
            try ReloadDirectives(target: "/live/a.m3u8?\(query)")
        }
    }

    /// The longest query that a head has room for.
    @Test func manyParametersAreReadOnce() throws {
        let query = String(repeating: "_HLS_x=1&", count: 1_700) + "_HLS_msn=5"
        #expect(try ReloadDirectives(target: "/?\(query)").position == PlaylistPosition(MediaSequenceNumber(5)))
    }
}
