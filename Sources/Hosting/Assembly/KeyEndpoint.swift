import ContentProtection
import FairPlay
import Fetching
import Files
import KeyServing
package import Logging
import MediaCore
import NIOCore
import Operations
import Origin
package import PackagerConfig

/// The conditions on which players get keys, made of the files that settings name.
package struct KeyEndpoint {
    /// The keys of tokens; nil if keys need no token.
    private(set) var tokens: TokenKeyring?
    /// Signs and verifies the passes to playlists and media; nil if they need none.
    private(set) var passKey: PassKey?
    /// Answers FairPlay; nil if there are no credentials.
    private(set) var fairPlay: FairPlayResponder?
    /// Everything that cannot be used.
    package private(set) var problems: [ConfigurationProblem] = []

    /// Reads all files, even if some are wrong; token keys at a URL are not fetched yet.
    package init(_ reading: ConfigurationReading, logger: Logger) async {
        let configuration = reading.configuration
        if let place = configuration.tokenKeys {
            let expectation = TokenExpectation(
                audience: configuration.tokenAudience,
                issuer: configuration.tokenIssuer
            )
            let keyring = Self.keyring(place, expectation, logger)
            tokens = keyring
            await check(reading, "token-keys", place) { if !Self.isURL(place) { try await keyring.refresh() } }
        }
        if let path = configuration.tokenMediaSecret {
            let clock = SystemClock()
            passKey = await check(reading, "token-media-secret", path) {
                try PassKey(secret: Self.passSecret(in: path)) { clock.wallClock }
            }
        }
        await readFairPlay(reading)
    }

    /// Fetches the token keys that are not in files.
    ///
    /// A failure is ignored: the server may return later, and viewers with keys continue to play.
    func fetch() async { try? await tokens?.refresh() }

    /// Uses a file of a setting, and notes a problem with it.
    ///
    /// - Returns: The result; nil if there is a problem.
    @discardableResult
    private mutating func check<Value>(
        _ reading: ConfigurationReading,
        _ setting: String,
        at index: Int = 0,
        _ path: String,
        _ body: () async throws -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            problems.append(reading.problem(setting, at: index, "\(path): \(error)"))
            return nil
        }
    }

    private mutating func readFairPlay(_ reading: ConfigurationReading) async {
        let configuration = reading.configuration
        let (certificates, keys) = (configuration.fairPlayCertificates, configuration.fairPlayPrivateKeys)
        let provisioning = configuration.fairPlayProvisioning
        var read: [ApplicationCertificate] = []
        // Unequal numbers of the two are reported already.
        for index in certificates.indices.prefix(keys.count) {
            let der = await contents(reading, "fairplay-certificate", certificates, at: index)
            let key = await contents(reading, "fairplay-private-key", keys, at: index)
            let data = await contents(reading, "fairplay-provisioning", provisioning, at: index)
            guard let der, let key, let data else { continue }
            let certificate = await check(reading, "fairplay-certificate", at: index, certificates[index]) {
                try ApplicationCertificate(der: der, privateKey: key, provisioningData: data)
            }
            if let certificate { read.append(certificate) }
        }
        guard let path = configuration.fairPlayProvider else { return }
        let provider = await check(reading, "fairplay-provider", path) { try FairPlayProvider(path: path) }
        guard let provider else { return }
        fairPlay = FairPlayResponder(
            KeySecurityModule(certificates: read, provider: provider),
            terms: FairPlayResponder.Terms(videoHDCP: configuration.fairPlayHDCP)
        )
    }

    /// The bytes of a file; none if there is no such file among several, and nil if it cannot be read.
    private mutating func contents(
        _ reading: ConfigurationReading,
        _ setting: String,
        _ paths: [String],
        at index: Int
    ) async -> [UInt8]? {
        guard paths.indices.contains(index) else { return [] }
        return await check(reading, setting, at: index, paths[index]) {
            try Self.contents(of: paths[index])
        }
    }

    private static func contents(of path: String) throws(FileReason) -> [UInt8] {
        do throws(FileError) {
            return try OpenFile.contents(of: path)
        } catch {
            throw FileReason(description: error.reason)
        }
    }

    private static func passSecret(in path: String) throws(FileReason) -> [UInt8] {
        let secret: [UInt8]
        do throws(MasterSecretFileError) {
            // One byte more than the longest secret with its line end shows that there is more.
            secret = try SecretFile.contents(path: path, atMost: secretLengths.upperBound + 3)
        } catch {
            throw FileReason(description: error.detail)
        }
        let line = secret.reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed()
        // Caches read it from a copy of the file, or from their configuration.
        guard secretLengths.contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
            throw FileReason(
                description:
                    "it has to be one line of \(secretLengths.lowerBound) to \(secretLengths.upperBound) ASCII characters "
                    + "without space and quotes; openssl rand -hex 32 makes one"
            )
        }
        return Array(line)
    }

    private static let secretLengths = 32...64

    /// The reason alone, for messages that already name the path.
    private struct FileReason: Error, CustomStringConvertible {
        let description: String
    }

    private static func isURL(_ place: String) -> Bool { place.contains("://") }

    private static func keyring(
        _ place: String,
        _ expectation: TokenExpectation,
        _ logger: Logger
    ) -> TokenKeyring {
        let (uptime, disk) = (ContinuousClock.now, DiskReader("token-keys"))
        return TokenKeyring(
            expecting: expectation,
            fetch: { isURL(place) ? try await fetched(place) : try await disk.value { try contents(of: place) } },
            uptime: { MediaTime(seconds: (ContinuousClock.now - uptime).components.seconds) },
            onKeys: { news in
                logger.debug("keys of tokens", metadata: ["count": .number(news.count)])
                guard !news.unusable.isEmpty else { return }
                let named = news.unusable.prefix(mostNamed).map(\.description).joined(separator: "; ")
                let others = news.unusable.count - mostNamed
                logger.notice(
                    "some keys of tokens cannot be used: tokens that they sign are refused",
                    metadata: [
                        "place": "\(place)", "count": .number(news.unusable.count),
                        "keys": "\(named)\(others > 0 ? "; \(others) more" : "")",
                    ]
                )
            },
            onFailure: { error, kept in
                let viewers =
                    kept > 0
                    ? "they notice nothing until the keys of tokens change"
                    : "they get no keys (503), and with token-media no playlists; players try again"
                logger.warning(
                    kept > 0
                        ? "token-keys cannot be read: the keys from before stay in use"
                        : "token-keys cannot be read: there are no keys from before",
                    metadata: [
                        "place": "\(place)", "problem": "\(error)", "viewers": "\(viewers)",
                        "do": "check the file or server (see place); the packager reads it again by itself",
                    ]
                )
            }
        )
    }

    /// Keys that one line of the log names.
    private static let mostNamed = 16

    private static func fetched(_ url: String) async throws -> [UInt8] {
        let limits = OriginClient.Configuration(maximumBytes: 1 << 20, followsRedirects: false)
        return try await OriginClient.withClient(limits) { client throws(FetchError) in
            // An attacker on the way could change the keys, and make tokens.
            let fetcher = GuardedFetcher(client) { GuardedFetcher.staysSecure($0, from: url) }
            return [UInt8](try await fetcher.fetch(url).body.readableBytesView)
        }
    }
}
