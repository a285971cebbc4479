import Files
import Foundation
import HTTPServing
import MediaCore
import NIOHTTP1
import TestSupport
import Testing

@testable import Control

@Suite struct ControlAccessTests {
    private static let tokens = [
        ("zoe", "administrator", "secret-of-zoe", ""), ("ana", "operator", "secret-of-ana", ""),
        ("ben", "read-only", "secret-of-ben", " 2030-01-01T00:00:00Z"),
        ("carl", "operator", "secret-of-carl", " 2026-11-21T12:00:00Z"),
    ]

    /// The hashes of tokens by the holder's name: `printf %s secret-of-NAME | sha256sum`.
    private static let hashes = [
        "ana": "9129334f8946ba5c0e52ba6e38300cc2c5d8bf1a8502959438c1462b8429e211",
        "ben": "61341aaf1a5fa7ea48f8ea9423c8e28fb44fab17288631b61e22c1d2d58b5254",
        "zoe": "1937509c94581b765330cfa8ab25fc013afd748932aa35ce64582b6448fe3519",
        "carl": "5174f478f2bd70871d11b75803898f020c858ef794b477c1b21fd379b3a2b0c7",
    ]

    private static let list = tokens.map { "\($0.0) \($0.1) \(hashes[$0.0] ?? "")\($0.3)\n" }.joined()

    private static func access(
        _ list: String? = list,
        takesCertificates: Bool = false
    ) throws -> ControlAccess {
        guard let list else { return ControlAccess(takesCertificates: takesCertificates) }
        let directory = try TemporaryDirectory()
        let followed = try FollowedFiles([try directory.write(list, to: "tokens")]) { try ControlTokens(list: $0[0]) }
        return ControlAccess(tokens: followed, takesCertificates: takesCertificates)
    }

    private static func request(_ method: HTTPMethod, _ path: String, _ credentials: String?) -> Request {
        Request(method, path, credentials.map { ["Authorization": $0] } ?? [:], isSecure: true)
    }

    private static func refusal(
        _ method: HTTPMethod,
        _ path: String,
        _ credentials: String?,
        of access: ControlAccess,
        hasCertificate: Bool = false
    ) -> Refusal? {
        do throws(Refusal) {
            let certificate = hasCertificate ? "certificate 7" : nil
            let requester = try access.admit(
                request(method, path, credentials),
                certificate: certificate,
                address: "192.0.2.7",
                at: Fixture.now
            )
            if hasCertificate {
                #expect(requester == Requester(name: "certificate 7", address: "192.0.2.7", role: .administrator))
            }
            return nil
        } catch {
            return error
        }
    }

    private static func requester(
        _ credentials: String?,
        of access: ControlAccess,
        at address: String? = "192.0.2.7",
        fields: [String: String] = [:]
    ) throws -> Requester {
        var request = request(.POST, "/reload", credentials)
        for (name, value) in fields { request.fields.add(name: name, value: value) }
        return try access.admit(request, certificate: nil, address: address, at: Fixture.now)
    }

    @Test(
        arguments: [
            ("127.0.0.1", ControlRole.administrator), ("127.9.9.9", .administrator), ("::1", .administrator),
            ("::ffff:127.0.0.1", .administrator), ("192.0.2.7", .operator), ("::ffff:192.0.2.7", .operator),
            ("fe80::1%eth0", .operator), ("128.0.0.1", .operator), ("", .operator), (nil, .operator),
        ] as [(String?, ControlRole)]
    )
    func withoutTokensChannelsAreForThisMachine(address: String?, role: ControlRole) throws {
        for credentials in [nil, "Bearer x"] {
            let requester = try Self.requester(credentials, of: ControlAccess(), at: address)
            #expect(requester == Requester(address: address, role: role))
        }
    }

    /// The peer is a proxy on this machine, whose clients may be anywhere.
    @Test(arguments: ["X-Forwarded-For", "Forwarded", "Via", "x-real-ip"])
    func aProxyIsNotTheClient(field: String) throws {
        let requester = try Self.requester(nil, of: ControlAccess(), at: "127.0.0.1", fields: [field: "192.0.2.7"])
        #expect(requester.role == .operator)
    }

    @Test(arguments: [
        ("Bearer secret-of-zoe", "zoe", ControlRole.administrator), ("Bearer secret-of-ana", "ana", .operator),
        ("bearer  secret-of-ana", "ana", .operator), ("Bearer secret-of-ben", "ben", .readOnly),
    ])
    func aTokenHasAName(credentials: String, name: String, role: ControlRole) throws {
        // Where it comes from makes no difference.
        for address in ["127.0.0.1", "192.0.2.7"] {
            let requester = try Self.requester(credentials, of: try Self.access(), at: address)
            #expect(requester == Requester(name: name, address: address, role: role))
        }
    }

    @Test func aRefusalNamesTheRoleThatIsNeeded() throws {
        let ben = Requester(name: "ben", address: "192.0.2.7", role: .readOnly)
        for role in [ControlRole.operator, .administrator] {
            let refusal = #expect(throws: Refusal.self) { try ben.check(role) }
            #expect(refusal?.status == .forbidden)
            #expect(refusal?.problems == ["this needs the role \(role.rawValue), but ben has the role read-only"])
            #expect(refusal?.fields.first(name: "WWW-Authenticate")?.contains("error=\"insufficient_scope\"") == true)
        }
        try ben.check(.readOnly)
        let anyone = #expect(throws: Refusal.self) {
            try Requester(address: "192.0.2.7", role: .operator).check(.administrator)
        }
        #expect(anyone?.problems.first?.contains("only clients on this machine") == true)
        #expect(anyone?.problems.first?.contains("administrator") == true)
    }

    @Test(
        arguments: [
            (nil, nil, "authentication is required: a token (Authorization: Bearer TOKEN)"),
            ("Bearer", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Bearer ", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Bearer a b", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Bearer a=b", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Bearer ü", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Basic YTpi", "invalid_token", "this is not a token; send Authorization: Bearer TOKEN"),
            ("Bearer secret-of-dora", "invalid_token", "the token is unknown"),
            ("Bearer secret-of-ana=", "invalid_token", "the token is unknown"),
            ("Bearer \(hashes["ana"] ?? "")", "invalid_token", "the token is unknown"),
            (
                "Bearer secret-of-carl", "invalid_token",
                "the token of carl has expired, at 2026-11-21T12:00:00.000Z"
            ),
        ] as [(String?, String?, String)]
    )
    func whoShowsNothingGoodIsToldWhy(credentials: String?, error: String?, problem: String) throws {
        for method in [HTTPMethod.GET, .POST] {
            let refusal = try #require(Self.refusal(method, "/channels", credentials, of: try Self.access()))
            #expect(refusal.status == .unauthorized)
            #expect(refusal.problems == [problem])
            let challenge = "Bearer realm=\"packager\""
            let rest = error.map { ", error=\"\($0)\", error_description=\"\(problem)\"" } ?? ""
            #expect(refusal.fields.first(name: "WWW-Authenticate") == challenge + rest)
        }
    }

    @Test(
        arguments: [
            ("/", true), ("/?a", true), ("/healthz", true), ("/readyz", true), ("/page.js", true), ("/page.css", true),
            ("/guide.html", true), ("/channels/guide.html", false), ("/openapi.json", true), ("/openapi.json/x", false),
            ("/openapi", false), ("/metrics", false), ("/channels", false), ("/channels/a.js", false),
            ("/channels/page.css", false),
            ("/healthz/x", false), ("", false), ("/metrics?.js", false), ("//channels", false), ("/events", false),
        ]
    )
    func supervisorsAndThePageItselfNeedNoToken(path: String, isOpen: Bool) throws {
        let access = try Self.access()
        #expect((Self.refusal(.GET, path, nil, of: access) == nil) == isOpen)
        #expect(Self.refusal(.POST, path, nil, of: access) != nil)
    }

    @Test func aCertificateIsAnAdministrators() throws {
        let lists: [String?] = [nil, Self.list]
        for access in try lists.map({ try Self.access($0, takesCertificates: true) }) {
            #expect(Self.refusal(.POST, "/reload", nil, of: access, hasCertificate: true) == nil)
            #expect(Self.refusal(.POST, "/reload", nil, of: access)?.status == .unauthorized)
        }
        let alone = try Self.access(nil, takesCertificates: true)
        #expect(
            Self.refusal(.GET, "/channels", nil, of: alone)?.problems == [
                "authentication is required: a client certificate"
            ]
        )
        #expect(Self.refusal(.GET, "/channels", "Bearer secret-of-ana", of: alone)?.status == .unauthorized)
    }

    @Test func whatIsWrongWithAListIsSaidAllAtOnce() throws {
        let good = try #require(Self.hashes["ana"])
        let text = """
            # Operators.
            ana operator \(good) # since May
            zoe administrator \(good)
            ben admin \(good)
            carl operator \(good.dropLast())
            dora
            ana read-only \(good)
            eve operator \(good) tomorrow
            """
        let error = #expect(throws: ControlTokensError.self) { try ControlTokens(list: Array(text.utf8)) }
        #expect(
            error?.problems == [
                "line 4: the role must be read-only, operator or administrator",
                "line 5: the hash must be 64 hexadecimal digits: printf %s TOKEN | sha256sum",
                "line 6: it has to be NAME ROLE SHA-256, and optionally the expiry",
                "line 7: there is another token of ana",
                "line 8: the expiry must be UTC like 2027-01-01T00:00:00Z",
            ]
        )
        #expect(throws: ControlTokensError(["it has no token, so nobody could use the control API"])) {
            try ControlTokens(list: Array("# nobody\n\n".utf8))
        }
    }

    /// A token where its hash belongs must not come to be in a log.
    @Test func aTokenInPlaceOfItsHashIsNotRepeated() throws {
        let error = #expect(throws: ControlTokensError.self) {
            try ControlTokens(list: Array("ana operator secret-of-ana".utf8))
        }
        #expect(error?.description.contains("secret-of-ana") == false)
    }
}
