import Dispatch
import Files
package import MediaCore

/// Provides the access key that signs requests, and renews it before it expires.
package actor AccessKeys {
    /// The place that a key is taken from.
    package enum Source: Hashable, Sendable {
        /// A file that only its owner may read; it is read again every minute.
        case file(String)
        case key(AccessKey)
        /// The role of the machine, by the URL of its metadata service.
        case instanceRole(String)

        /// The source without configuration: the environment, and without a key there, the role of the machine.
        ///
        /// - Throws: The reason why the variables have no key, although there are some.
        package static func usual(_ environment: [String: String]) throws(StoreProblem) -> Source {
            let id = environment["AWS_ACCESS_KEY_ID"] ?? ""
            let secret = environment["AWS_SECRET_ACCESS_KEY"] ?? ""
            if id.isEmpty, secret.isEmpty {
                return .instanceRole(
                    environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? InstanceRole.usualEndpoint
                )
            }
            let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
            guard let key = AccessKey(id: id, secret: secret, sessionToken: token) else {
                throw .credentials(
                    "AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY of the environment is empty or malformed"
                )
            }
            return .key(key)
        }

        /// Checks that a file can be read.
        ///
        /// - Throws: The reason why it cannot.
        package func check() throws(StoreProblem) {
            if case .file(let path) = self { _ = try AccessKeys.accessKey(in: path) }
        }
    }

    private let source: Source
    private let now: @Sendable () -> MediaTime
    private var current: AccessKey?
    /// The time at which the source is asked again.
    private var isDueAt: MediaTime?
    private var reading: Task<Result<AccessKey, StoreProblem>, Never>?

    /// The time before its expiry at which a key is renewed.
    private static let margin = MediaTime(seconds: 300)
    private static let longestUse = MediaTime(seconds: 60)
    private static let retryInterval = MediaTime(seconds: 10)

    package init(_ source: Source, now: @escaping @Sendable () -> MediaTime) {
        (self.source, self.now) = (source, now)
    }

    /// The key for a request that is sent now.
    ///
    /// - Throws: The reason why there is none.
    package func key() async throws(StoreProblem) -> AccessKey {
        if let current, let isDueAt, now() < isDueAt { return current }
        let reading = self.reading ?? Task { [source] in await Self.read(source) }
        self.reading = reading
        let result = await reading.value
        // Several may have waited for it.
        if self.reading == reading {
            self.reading = nil
            take(result)
        }
        // A key that has not expired stays valid.
        if case .failure(let problem) = result, current == nil { throw problem }
        if let current { return current }
        return try result.get()
    }

    /// Notes that the store does not accept a key: the source is asked again at once.
    ///
    /// The key stays until there is another: it may only lack the permission for one kind of request.
    package func refuse(_ key: AccessKey) {
        // The environment has no other.
        if case .key = source { return }
        if current == key { isDueAt = nil }
    }

    private func take(_ result: Result<AccessKey, StoreProblem>) {
        let now = now()
        switch result {
        case .success(let key):
            current = key
            let renewal = key.expiry.map { $0 - Self.margin } ?? now + Self.longestUse
            isDueAt = max(renewal, now + Self.retryInterval)
        case .failure:
            isDueAt = now + Self.retryInterval
            if let expiry = current?.expiry, expiry <= now { current = nil }
        }
    }

    private static func read(_ source: Source) async -> Result<AccessKey, StoreProblem> {
        do throws(StoreProblem) {
            switch source {
            case .key(let key): return .success(key)
            case .instanceRole(let endpoint): return .success(try await InstanceRole(endpoint: endpoint).accessKey())
            case .file(let path): return await keyRead(from: path)
            }
        } catch {
            return .failure(error)
        }
    }

    /// Reads a file on a thread of its own: its disk may stand still, and tasks share a few threads.
    private static func keyRead(from path: String) async -> Result<AccessKey, StoreProblem> {
        await disk.run { Result { () throws(StoreProblem) in try accessKey(in: path) } }
    }

    private static let disk = DispatchQueue(label: "push.credentials", qos: .utility, attributes: .concurrent)

    private static func accessKey(in path: String) throws(StoreProblem) -> AccessKey {
        do throws(CredentialsFile.Problem) {
            return try CredentialsFile.accessKey(in: path)
        } catch {
            throw .credentials(error.description)
        }
    }
}
