import Fetching
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1

/// Asks the metadata service of a virtual machine for the access key of its role (IMDSv2).
struct InstanceRole: Sendable {
    /// The URL of the metadata service, without a slash at its end.
    let endpoint: String

    static let usualEndpoint = "http://169.254.169.254"

    /// A machine without this service does not answer.
    private static let patience = Duration.seconds(3)
    private static let maximumBytes = 65_536
    private static let tokenSeconds = 300
    private static let path = "/latest/meta-data/iam/security-credentials/"

    /// The answer with an access key.
    private struct Answer: Decodable {
        var id: String
        var secret: String
        var token: String
        var expiry: String

        enum CodingKeys: String, CodingKey {
            case id = "AccessKeyId"
            case secret = "SecretAccessKey"
            case token = "Token"
            case expiry = "Expiration"
        }
    }

    /// - Throws: The reason why there is none.
    func accessKey() async throws(StoreProblem) -> AccessKey {
        let configuration = OriginClient.Configuration(
            connectTimeout: Self.patience,
            timeout: Self.patience,
            maximumBytes: Self.maximumBytes,
            followsRedirects: false
        )
        return try await OriginClient.withClient(configuration) { client throws(StoreProblem) in
            let seconds = ("X-aws-ec2-metadata-token-ttl-seconds", "\(Self.tokenSeconds)")
            let token = try await ask(client, .PUT, "/latest/api/token", [seconds])
            guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw Self.unreadable }
            let field = ("X-aws-ec2-metadata-token", token)
            let names = try await ask(client, .GET, Self.path, [field])
            let role = names.prefix { !$0.isNewline }
            guard !role.isEmpty, role.allSatisfy(Self.isRoleCharacter) else { throw Self.unreadable }
            let text = try await ask(client, .GET, Self.path + role, [field])
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(text.utf8)),
                let expiry = MediaTime(iso8601: answer.expiry),
                let key = AccessKey(
                    id: answer.id,
                    secret: answer.secret,
                    sessionToken: answer.token,
                    expiry: expiry
                )
            else { throw Self.unreadable }
            return key
        }
    }

    private static let unreadable = StoreProblem.credentials("the metadata service gives no access key of a role")

    private func ask(
        _ client: OriginClient,
        _ method: HTTPMethod,
        _ path: String,
        _ fields: [(String, String)]
    ) async throws(StoreProblem) -> String {
        let answer: HTTPAnswer
        do throws(FetchError) {
            answer = try await client.send(method, nil, to: endpoint + path, HTTPHeaders(fields))
        } catch {
            throw .credentials("no access key is given, and the metadata service of this machine does not answer")
        }
        guard answer.status == 200 else {
            throw .credentials("the metadata service answers with status \(answer.status): this machine has no role")
        }
        return String(buffer: answer.body)
    }

    /// The characters of a role's name, as AWS allows them.
    private static func isRoleCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "_+=,.@-".contains(character))
    }
}
