import ContentProtection
package import Fetching
import Foundation
package import MediaCore
import NIOCore
package import NIOHTTP1
import Presentation
import Synchronization

/// Stores objects at one destination, looks for them and deletes them.
package final class ObjectStore: Sendable {
    /// The credentials that requests show.
    package enum Credentials: Sendable {
        /// Keys that sign the requests to a bucket of a region.
        case accessKeys(AccessKeys, region: String)
        /// Fields of requests to a server.
        case fields(HTTPHeaders)

        /// Reads the credentials of a server: header fields, each on a line of a file that only its owner may read.
        ///
        /// - Throws: The reason why they cannot be read.
        package static func fields(file path: String) throws(StoreProblem) -> Credentials {
            do throws(CredentialsFile.Problem) {
                return .fields(try CredentialsFile.fields(in: path))
            } catch {
                throw .credentials(error.description)
            }
        }
    }

    package let destination: PushDestination
    private let credentials: Credentials
    private let targetDuration: Int
    private let now: @Sendable () -> MediaTime
    private let client: OriginClient
    /// The client that reads playlists, which may be longer than other answers.
    private let reader: OriginClient
    /// False once the store has refused conditional requests.
    private let knowsConditions = Atomic(true)

    /// The time that an answer may take: as long as a few segments last.
    private let patience: Duration
    private static let shortestPatience = Duration.seconds(15)
    /// The fewest bytes of a long body that are sent in a second.
    private static let slowestRate = 250_000
    private static let connectPatience = Duration.seconds(5)
    private static let maximumAnswer = 65_536
    private static let maximumPlaylist = 16 << 20
    private static let readers = 2
    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// - Parameters:
    ///   - destination: The place of the objects.
    ///   - credentials: The credentials that requests show.
    ///   - connections: The most requests at once.
    ///   - targetDuration: The target duration of the channel, in seconds, by which caches keep playlists.
    ///   - authorities: The authorities that the store's certificate must be signed by; nil for those of the system.
    ///   - now: The time of this machine, in UTC.
    package init(
        _ destination: PushDestination,
        _ credentials: Credentials,
        connections: Int,
        targetDuration: Int,
        authorities: CertificateAuthorities? = nil,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.destination = destination
        self.credentials = credentials
        self.targetDuration = targetDuration
        self.now = now
        let patience = max(Self.shortestPatience, .seconds(3 * targetDuration))
        self.patience = patience
        func client(_ maximumBytes: Int, _ connections: Int) -> OriginClient {
            OriginClient(
                OriginClient.Configuration(
                    connectTimeout: Self.connectPatience,
                    timeout: patience,
                    maximumBytes: maximumBytes,
                    followsRedirects: false,
                    authorities: authorities,
                    connectionsPerOrigin: connections
                )
            )
        }
        self.client = client(Self.maximumAnswer, connections)
        reader = client(Self.maximumPlaylist, Self.readers)
    }

    deinit {
        Task { [client, reader] in
            await client.shutdown()
            await reader.shutdown()
        }
    }

    /// Stores an object.
    ///
    /// - Parameters:
    ///   - path: The path of the object, below the destination.
    ///   - body: The bytes of the object.
    ///   - isNew: True if an existing object stays, because it is the same.
    /// - Returns: The outcome; ``StoreAnswer/alreadyThere`` if the existing object stayed.
    func put(_ path: String, _ body: ByteBuffer, isNew: Bool) async -> StoreAnswer {
        await put(path, .bytes(body), ObjectTraits(of: path, targetDuration: targetDuration), isNew: isNew)
    }

    /// Stores an object.
    ///
    /// - Parameters:
    ///   - path: The path of the object, below the destination.
    ///   - content: The bytes of the object.
    ///   - traits: The fields that it is served with later.
    ///   - isNew: True if an existing object stays, because it is the same.
    /// - Returns: The outcome; ``StoreAnswer/alreadyThere`` if the existing object stayed.
    func put(_ path: String, _ content: ObjectContent, _ traits: ObjectTraits, isNew: Bool) async -> StoreAnswer {
        let isConditional = isNew && knowsConditions.load(ordering: .relaxed)
        let answer = await put(path, content, traits, isConditional ? [("If-None-Match", "*")] : [])
        // S3: NotImplemented, if a field requests a feature that the store lacks.
        if isConditional, case .failed(.refused(501, _), _) = answer {
            knowsConditions.store(false, ordering: .relaxed)
            return await put(path, content, traits, [])
        }
        return answer
    }

    /// Stores an object.
    ///
    /// - Parameters:
    ///   - path: The path of the object, below the destination.
    ///   - body: The bytes of the object.
    ///   - own: Fields of the request besides those that tell of the object.
    ///   - note: Called with the fields of the answer.
    /// - Returns: The outcome.
    func put(
        _ path: String,
        _ body: ByteBuffer,
        _ own: [(String, String)],
        note: (HTTPHeaders) -> Void = { _ in }
    ) async -> StoreAnswer {
        await put(path, .bytes(body), ObjectTraits(of: path, targetDuration: targetDuration), own, note: note)
    }

    private func put(
        _ path: String,
        _ content: ObjectContent,
        _ traits: ObjectTraits,
        _ own: [(String, String)],
        note: (HTTPHeaders) -> Void = { _ in }
    ) async -> StoreAnswer {
        var fields = HTTPHeaders([("Content-Type", traits.contentType), ("Cache-Control", traits.cacheControl)])
        fields.add(contentsOf: own)
        return await send(.PUT, path, content, fields) { answer, now in
            note(answer.fields)
            return StoreAnswer(toPut: answer, now: now)
        }
    }

    /// Finds out if there is an object of this length.
    func find(_ path: String, byteCount: Int) async -> StoreAnswer {
        await send(.HEAD, path, nil, [:]) { StoreAnswer(toHead: $0, byteCount: byteCount, now: $1) }
    }

    /// Reads the text of an object; empty if there is none, or it may not be read.
    func text(of path: String) async -> (StoreAnswer, String) {
        var text = ""
        let answer = await send(.GET, path, nil, [:], by: reader) { answer, now in
            switch answer.status {
            case 200:
                text = String(buffer: answer.body)
                return .done
            case 429, 500, 502...599: return StoreAnswer(toPut: answer, now: now)
            default: return .missing
            }
        }
        let isTooLong = answer.problem == .unreachable(FetchError.tooLarge(limit: Self.maximumPlaylist).description)
        return isTooLong ? (.missing, "") : (answer, text)
    }

    func delete(_ path: String) async -> StoreAnswer {
        await send(.DELETE, path, nil, [:]) { StoreAnswer(toDelete: $0, now: $1) }
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path of the object, below the destination.
    ///   - content: The bytes of the object; nil for none.
    ///   - fields: The fields besides those that show who asks.
    ///   - reader: The client that sends it; nil for the usual one.
    ///   - read: Makes a result of the answer and of the time.
    /// - Returns: What `read` made; ``StoreAnswer/failed(_:retryAfter:)`` if it cannot be sent, or has no answer.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ content: ObjectContent?,
        _ fields: HTTPHeaders,
        by reader: OriginClient? = nil,
        _ read: (HTTPAnswer, MediaTime) -> StoreAnswer
    ) async -> StoreAnswer {
        do throws(StoreProblem) {
            var fields = fields
            let key = try await authorize(method, path, content, &fields)
            let answer = try await answer(to: method, path, content, fields, by: reader ?? client)
            let result = read(answer, now())
            if let key, case .accessKeys(let keys, _) = credentials, case .failed(let problem, _) = result,
                problem.doubtsCredentials
            {
                await keys.refuse(key)
            }
            return result
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }

    private func answer(
        to method: HTTPMethod,
        _ path: String,
        _ content: ObjectContent?,
        _ fields: HTTPHeaders,
        by client: OriginClient
    ) async throws(StoreProblem) -> HTTPAnswer {
        let url = destination.url(of: path)
        do throws(FetchError) {
            switch content {
            case nil: return try await client.send(method, nil, to: url, fields)
            case .bytes(let bytes)?: return try await client.send(method, bytes, to: url, fields)
            case .pieces(let pieces, _)?:
                let byteCount = pieces.body.byteCount
                let patience = patience + .seconds(byteCount / Self.slowestRate)
                return try await client.send(method, pieces, byteCount: byteCount, within: patience, to: url, fields)
            }
        } catch {
            throw .unreachable(error.description)
        }
    }

    /// Adds the credentials, and the checksum by which the store verifies the bytes.
    ///
    /// - Returns: The key that signs the request; nil for none.
    private func authorize(
        _ method: HTTPMethod,
        _ path: String,
        _ content: ObjectContent?,
        _ fields: inout HTTPHeaders
    ) async throws(StoreProblem) -> AccessKey? {
        let digest = try content.map { content throws(StoreProblem) in try content.digest() }
        let checksum = digest.map { Data($0).base64EncodedString() }
        switch credentials {
        case .accessKeys(let keys, let region):
            if let checksum { fields.add(name: "x-amz-checksum-sha256", value: checksum) }
            let key = try await keys.key()
            let (time, bodyDigest) = (SigningTime(now()), digest?.hex ?? Self.emptyDigest)
            fields.add(name: "Host", value: destination.host)
            fields.add(name: "x-amz-date", value: time.text)
            fields.add(name: "x-amz-content-sha256", value: bodyDigest)
            if let token = key.sessionToken { fields.add(name: "x-amz-security-token", value: token) }
            let request = RequestSigner.Request(
                method: method,
                path: destination.path(of: path),
                fields: fields,
                bodyDigest: bodyDigest
            )
            fields.add(name: "Authorization", value: try Self.sign(request, region, key, time))
            return key
        case .fields(let own):
            // RFC 9530 § 2.
            if let checksum { fields.add(name: "Content-Digest", value: "sha-256=:\(checksum):") }
            fields.add(contentsOf: own)
            return nil
        }
    }

    private static func sign(
        _ request: RequestSigner.Request,
        _ region: String,
        _ key: AccessKey,
        _ time: SigningTime
    ) throws(StoreProblem) -> String {
        do throws(OpenSSLError) {
            return try RequestSigner(region: region, service: "s3").authorization(of: request, by: key, at: time)
        } catch {
            throw .credentials("a request cannot be signed: \(error)")
        }
    }
}

/// Tokens do not appear in a dump.
extension ObjectStore.Credentials: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
