import HTTPServing
import NIOHTTP1
import TestSupport
import Testing

@testable import Origin

@Suite struct CMCDTests {
    private static func query(_ text: String) -> CMCD? { CMCD(target: "/live/a/1.m4s?\(text)", fields: []) }

    /// The query is one that hls.js 1.6 sends.
    @Test func aQueryIsRead() throws {
        let report = try #require(
            Self.query(
                "_HLS_msn=1&CMCD=bl%3D21300%2Cbr%3D3200%2Cbs%2Ccid%3D%22faec5fc2%2Cx%22%2C"
                    + "mtp%3D25400%2Cot%3Dv%2Csf%3Dh%2Csid%3D%226e2fb550-c457-11e9-bb97-0800200c9a66%22%2Csu&x=1"
            )
        )
        #expect(report.bufferLength == 21300)
        #expect(report.videoRate == 3200)
        #expect(report.audioRate == nil)
        #expect(report.throughput == 25400)
        #expect(report.isStarved)
        #expect(report.session != nil)
    }

    @Test func fieldsSayTheSame() throws {
        let fields: HTTPHeaders = [
            "Host": "x", "CMCD-Object": "br=3200,ot=v", "CMCD-Request": "bl=21300, mtp=25400", "cmcd-status": "bs",
            "CMCD-Session": #"sf=h,sid="6e2fb550-c457-11e9-bb97-0800200c9a66""#, "X-CMCD-Request": "bl=1",
        ]
        let report = Request(.GET, "/live/a/1.m4s", fields).viewer(of: "live").report
        let other = Self.query(
            "CMCD=bl%3D21300%2Cbr%3D3200%2Cbs%2Cmtp%3D25400%2Cot%3Dv%2Csid%3D%226e2fb550-c457-11e9-bb97-0800200c9a66%22"
        )
        #expect(report == other)
    }

    /// The second version has figures for each type of what is asked for.
    @Test func theSecondVersionIsRead() throws {
        let report = try #require(
            CMCD(target: "/", fields: ["v=2,bl=(4000;v 9000;a),br=(3000;v 128;a),bs=?1,sid=abc"])
        )
        #expect(report.bufferLength == 4000)
        #expect(report.videoRate == 3000 && report.audioRate == 128)
        #expect(report.isStarved && report.session != nil)
        #expect(CMCD(target: "/", fields: ["bs=?0"])?.isStarved == false)
    }

    /// A player that names its session is one viewer of each channel, wherever it asks from; others by address and player.
    @Test func viewersAreToldApart() {
        func viewer(_ channel: String, _ fields: HTTPHeaders, client: Int = 1) -> Int {
            Request(.GET, "/", fields, client: client).viewer(of: channel).hash
        }
        let named: HTTPHeaders = ["CMCD-Session": "sid=\"a\"", "User-Agent": "x"]
        #expect(viewer("a", named) == viewer("a", ["cmcd-session": "sid=\"a\""], client: 2))
        #expect(viewer("a", named) != viewer("b", named))
        #expect(viewer("a", ["User-Agent": "x"]) == viewer("a", ["user-agent": "x"]))
        let all = [
            viewer("a", ["User-Agent": "x"]), viewer("a", ["User-Agent": "y"]), viewer("a", [:]),
            viewer("a", [:], client: 2),
        ]
        #expect(Set(all).count == 4)
    }

    @Test func sessionsAreToldApart() {
        let sessions = ["a", "b", "a%22", "%22a%22"].map { Self.query("CMCD=sid%3D\($0)")?.session }
        #expect(sessions[0] == sessions[3] && Set(sessions).count == 3)
    }

    @Test(arguments: ["", "x=1", "xCMCD=bs", "cmcd=bs", "a=CMCD=bs"])
    func aRequestWithoutItSaysNothing(query: String) {
        #expect(Self.query(query) == nil)
        let fields: HTTPHeaders = ["CMC": "bs", "X-CMCD-Request": "bs", "": ""]
        #expect(Request(.GET, "/\(query)", fields).viewer(of: "live").report == nil)
    }

    @Test(arguments: [
        "", "%", "%2", "%zz", "%3D", "bl%3D", "bl%3D-1", "bl%3Dx", "bl%3D1e9", "bl%3D99999999999999999999", "sid%3D",
        "sid%3D%22", "bl%3D(", "bl%3D(;", "bl%3D()", "br%3D((((((1", "%22%22%22", ",,,,", "%FF%FE%00",
        "sid%3D" + String(repeating: "x", count: 65), String(repeating: "bs,", count: 3000),
        "sid%3D%22\\\\\\", "ot%3Dv,ot,ot%3D",
    ])
    func nonsenseIsPassedOver(text: String) throws {
        let report = try #require(Self.query("CMCD=\(text)"))
        #expect(report.session == nil || text.hasPrefix("sid%3D%22"))
        #expect(report.bufferLength == nil && report.videoRate == nil && report.throughput == nil && !report.isStarved)
    }

    @Test func whatIsTooLongIsNotRead() {
        let long = "bs," + String(repeating: "x", count: 64 * 1024)
        #expect(CMCD(target: "/", fields: [long])?.isStarved == false)
        #expect(Self.query("CMCD=\(long)")?.isStarved == false)
    }

    @Test func anythingIsSurvived() {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("blrsidomtpaveq=,\"()\\;?% 0123456789".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator)!
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = CMCD(target: "/?CMCD=\(text)", fields: [text])
        }
    }
}
