import MediaCore
import Synchronization
import Testing

@testable import Origin

/// The reading of passes, and the verdicts on them.
@Suite struct MediaPassTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let expires: Int64 = 1_798_387_200
    /// By `openssl dgst -sha256 -hmac`, of `1798387200/live`.
    private static let signature = "910061ca16f080477e884827cada13c6a1dcbda05bc58c21289bf9d31b112ca4"
    private static let pass = "\(signature)-\(expires)"

    private static func key(at second: Int64 = expires - 60) throws -> PassKey {
        try PassKey(secret: Array(secret.utf8)) { MediaTime(seconds: second) }
    }

    private static func prefix(_ path: String) -> MediaPass.Prefix? {
        Array(path.utf8).withUnsafeBytes { MediaPass.Prefix($0) }
    }

    private static func verdict(_ path: String, at second: Int64 = expires - 60) throws -> PassKey.Verdict? {
        let key = try key(at: second)
        return Array(path.utf8).withUnsafeBytes { path in
            MediaPass.Prefix(path).map { key.verdict(on: $0, in: path) }
        }
    }

    private static func cookie(_ field: String, for channel: String = "live") throws -> PassKey.Verdict? {
        let key = try key()
        return Array(field.utf8).withUnsafeBytes { key.verdict(onCookie: $0[...], for: channel.utf8) }
    }

    @Test func aPassIsWhatOthersMakeOfTheSameSecret() throws {
        let key = try Self.key()
        #expect(key.pass(to: "live", until: MediaTime(seconds: Self.expires)) == Self.pass)
        #expect(key.pathPrefix(for: "live", lasting: 60) == "/t/\(Self.pass)")
    }

    @Test func itsPlaceInAPathIsFound() throws {
        let prefix = try #require(Self.prefix("/t/\(Self.pass)/live/video/1.m4s?x=/y"))
        #expect(prefix.pass.expires == Self.expires)
        #expect(prefix.length == 3 + Self.pass.utf8.count)
        #expect(prefix.signed == 68..<83, "1798387200/live")
        #expect(Self.prefix("/t/\(Self.pass)/live?x")?.signed == 68..<83)
    }

    @Test(arguments: [
        "", "/", "/t", "/t/", "/t/live/index.m3u8", "/t/\(pass)", "/T/\(pass)/live/", "//t/\(pass)/live/",
        "t/\(pass)/live/",
        "/t/\(signature)/live/", "/t/\(signature)-/live/", "/t/\(signature)-0/live/", "/t/\(signature)-01/live/",
        "/t/\(signature)--1/live/", "/t/\(signature)-1x/live/", "/t/\(signature)-1000000000000/live/",
        "/t/\(signature.dropLast())-1/live/", "/t/\(signature)0-1/live/", "/t/\(signature.uppercased())-1/live/",
        "/t/\(signature.dropLast())g-1/live/", "/t/\(signature) 1/live/",
    ])
    func otherPathsHaveNone(path: String) { #expect(Self.prefix(path) == nil) }

    @Test func itIsGoodForItsChannelUntilItExpires() throws {
        let path = "/t/\(Self.pass)/live/index.m3u8"
        #expect(try Self.verdict(path) == .good)
        #expect(try Self.verdict(path, at: Self.expires - 1) == .good)
        #expect(try Self.verdict(path, at: Self.expires) == .expired)
        for other in ["lives", "liv", "", "LIVE", "li%76e", "live2"] {
            #expect(try Self.verdict("/t/\(Self.pass)/\(other)/index.m3u8") == .invalid, "\(other)")
        }
        #expect(try Self.verdict("/t/\(Self.signature)-1798387201/live/index.m3u8") == .invalid)
        #expect(try Self.verdict("/t/1\(Self.signature.dropFirst())-\(Self.expires)/live/x") == .invalid)
        let stranger = try PassKey(secret: Array("x\(Self.secret)".utf8)) { .zero }
        let foreign = try #require(stranger.pass(to: "live", until: MediaTime(seconds: Self.expires)))
        #expect(try Self.verdict("/t/\(foreign)/live/x") == .invalid)
    }

    @Test func aCookieHasItAmongOthers() throws {
        let bad = "packager_pass=0\(Self.pass.dropFirst())"
        for field in [
            "packager_pass=\(Self.pass)", "a=b; packager_pass=\(Self.pass); c=d", "a=b;packager_pass=\(Self.pass)",
            "\(bad); packager_pass=\(Self.pass)",
        ] {
            #expect(try Self.cookie(field) == .good, "\(field)")
            #expect(try Self.cookie(field, for: "other") == .invalid)
        }
        #expect(try Self.cookie(bad) == .invalid)
        for field in [
            "", ";", "packager_pass", "packager_pass=", "xpackager_pass=\(Self.pass)", "packager_pass=\(Self.pass)0x",
        ] {
            #expect(try Self.cookie(field) == nil, "\(field)")
        }
    }

    /// Of a field as long as a head may be, only the first cookies are looked at.
    @Test func aFloodOfCookiesIsNotReadToItsEnd() throws {
        let flood = String(repeating: "packager_pass=0\(Self.pass.dropFirst()); ", count: 100)
        #expect(try Self.cookie(flood + "packager_pass=\(Self.pass)") == .invalid)
    }
}
