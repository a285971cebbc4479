import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

/// Access keys from files, the environment and the role of a machine.
@Suite struct AccessKeysTests {
    private static func file(_ text: String, _ directory: TemporaryDirectory, mode: Int = 0o600) throws -> String {
        let path = try directory.write(text, to: "credentials")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Mutex(MediaTime(seconds: 1_800_000_000))
        var now: MediaTime { time.withLock(\.self) }
        func advance(_ seconds: Int64) { time.withLock { $0 += MediaTime(seconds: seconds) } }
    }

    private let clock = Clock()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func keys(_ source: AccessKeys.Source) -> AccessKeys { AccessKeys(source, now: { [clock] in clock.now }) }

    @Test(arguments: [
        "[default]\naws_access_key_id = AKID\naws_secret_access_key = wJ/+al=r\n",
        "aws_access_key_id=AKID\r\naws_secret_access_key=wJ/+al=r\r\n",
        "# mine\n[other]\naws_access_key_id = X\naws_secret_access_key = Y\n[default]\n  aws_access_key_id=AKID\n"
            + "aws_secret_access_key= wJ/+al=r \nregion = eu-central-1\n",
    ])
    func credentialsFileOfAWSIsRead(text: String) async throws {
        let key = try await keys(.file(Self.file(text, directory))).key()
        #expect(key.id == "AKID" && key.secret == "wJ/+al=r" && key.sessionToken == nil)
    }

    @Test(arguments: [
        ("[other]\naws_access_key_id=A\naws_secret_access_key=hunter2\n", 0o600, "no aws_access_key_id"),
        ("", 0o600, "no aws_access_key_id"),
        ("aws_access_key_id=A\naws_secret_access_key=hun ter2\n", 0o600, "characters that are not allowed"),
        ("aws_access_key_id=A\naws_secret_access_key=hunter2\n", 0o644, "chmod 600"),
    ])
    func whatIsNoKeyIsToldWithoutIt(text: String, mode: Int, words: String) async throws {
        let path = try Self.file(text, directory, mode: mode)
        let problem = await #expect(throws: StoreProblem.self) { try await keys(.file(path)).key() }
        let said = "\(try #require(problem))"
        #expect(said.contains(words) && !said.contains("hunter2") && !said.contains("hun ter2"), "\(said)")
        #expect(throws: StoreProblem.self) { try AccessKeys.Source.file(path).check() }
    }

    @Test func aFileThatChangesIsReadAgain() async throws {
        let text = "aws_access_key_id=A\naws_secret_access_key=s\n"
        let path = try Self.file(text, directory)
        let keys = keys(.file(path))
        #expect(try await keys.key().id == "A")
        _ = try Self.file(text.replacing("=A", with: "=B"), directory)
        #expect(try await keys.key().id == "A")
        clock.advance(61)
        #expect(try await keys.key().id == "B")
        // A key that the store refuses is looked for at once.
        _ = try Self.file(text.replacing("=A", with: "=C"), directory)
        await keys.refuse(try await keys.key())
        #expect(try await keys.key().id == "C")
        // One that cannot be read any more is as good as it was.
        try FileManager.default.removeItem(atPath: path)
        clock.advance(3600)
        #expect(try await keys.key().id == "C")
        // So is one that may put and not delete: the store refuses it now and then.
        await keys.refuse(try await keys.key())
        #expect(try await keys.key().id == "C")
        _ = try Self.file(text.replacing("=A", with: "=D"), directory)
        clock.advance(11)
        #expect(try await keys.key().id == "D")
    }

    @Test func theEnvironmentHasAKeyOrTheMachineARole() throws {
        let key = ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"]
        #expect(try AccessKeys.Source.usual(key) == .key(#require(AccessKey(id: "A", secret: "s", sessionToken: "t"))))
        #expect(try AccessKeys.Source.usual([:]) == .instanceRole("http://169.254.169.254"))
        let endpoint = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:1"]
        #expect(try AccessKeys.Source.usual(endpoint) == .instanceRole("http://127.0.0.1:1"))
        #expect(throws: StoreProblem.self) { try AccessKeys.Source.usual(["AWS_ACCESS_KEY_ID": "A"]) }
    }

    /// A metadata service whose keys last an hour.
    private static func metadata(_ clock: Clock) -> StandInStore.Fault {
        let count = Mutex(0)
        return { request in
            guard request.target != "/latest/api/token" else {
                let isAsked =
                    request.method == .PUT
                    && request.fields.first(name: "X-aws-ec2-metadata-token-ttl-seconds") != nil
                return isAsked ? .init(status: 200, body: "token-1") : .init(status: 400)
            }
            guard request.fields.first(name: "X-aws-ec2-metadata-token") == "token-1" else { return .init(status: 401) }
            switch request.target {
            case "/latest/meta-data/iam/security-credentials/": return .init(status: 200, body: "packager-role\n")
            case "/latest/meta-data/iam/security-credentials/packager-role":
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let expiry = (clock.now + MediaTime(seconds: 3600)).iso8601
                let text =
                    #"{"Code": "Success", "AccessKeyId": "K\#(number)", "SecretAccessKey": "s", "Token": "t", "#
                    + #""Expiration": "\#(expiry)"}"#
                return .init(status: 200, body: text)
            default: return .init(status: 404)
            }
        }
    }

    @Test func theKeyOfARoleIsRenewedBeforeItExpires() async throws {
        let service = try await StandInStore()
        service.fail(Self.metadata(clock))
        let keys = keys(.instanceRole(service.url))
        // Many at once ask once.
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await keys.key().id } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids == ["K1"] && service.requests.count == 3)
        #expect(try await keys.key().sessionToken == "t")
        clock.advance(3299)
        #expect(try await keys.key().id == "K1")
        clock.advance(2)
        #expect(try await keys.key().id == "K2")
        // A service that is out of order leaves what is good until it expires.
        service.fail { _ in .init(status: 500) }
        clock.advance(3400)
        #expect(try await keys.key().id == "K2")
        clock.advance(300)
        await #expect(throws: StoreProblem.self) { try await keys.key() }
        service.fail(Self.metadata(clock))
        clock.advance(11)
        #expect(try await keys.key().id == "K1")
        try await service.close()
    }

    @Test(arguments: [
        "{}", "[",
        #"{"AccessKeyId": "A", "SecretAccessKey": "s", "Token": "a b", "Expiration": "2030-01-01T00:00:00Z"}"#,
        #"{"AccessKeyId": "A", "SecretAccessKey": "s", "Token": "t", "Expiration": "soon"}"#,
        String(repeating: "x", count: 200_000),
    ])
    func whatIsNoAnswerOfAServiceIsNoKey(text: String) async throws {
        let service = try await StandInStore()
        service.fail { request in
            switch request.target {
            case "/latest/api/token": .init(status: 200, body: "t")
            case "/latest/meta-data/iam/security-credentials/": .init(status: 200, body: "role")
            default: .init(status: 200, body: text)
            }
        }
        await #expect(throws: StoreProblem.self) { try await keys(.instanceRole(service.url)).key() }
        try await service.close()
    }

    @Test(arguments: ["../../latest/user-data", "a b", "", "\r\nX: y"])
    func malformedRoleNameIsRefused(name: String) async throws {
        let service = try await StandInStore()
        service.fail { request in
            .init(status: 200, body: request.target == "/latest/api/token" ? "t" : name)
        }
        await #expect(throws: StoreProblem.self) { try await keys(.instanceRole(service.url)).key() }
        #expect(service.requests.count == 2)
        try await service.close()
    }

    @Test func credentialsFileHasOneFieldPerLine() throws {
        let path = try Self.file("Authorization: Basic dXNlcjpwdw==\n\nX-Key:  7\n", directory)
        let fields = try CredentialsFile.fields(in: path)
        #expect(fields.map(\.name) == ["Authorization", "X-Key"] && fields.first(name: "x-key") == "7")
        for text in ["Authorization Basic x", "A b: c", "A: b\u{7}"] {
            let path = try Self.file(text, directory)
            #expect(throws: CredentialsFile.Problem.self) { try CredentialsFile.fields(in: path) }
        }
    }
}
