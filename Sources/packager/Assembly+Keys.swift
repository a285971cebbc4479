import FairPlay
import Fetching
import Foundation
import KeyServing
import Logging
import MediaCore
import NIOCore
import NIOSSL
import Origin
import PackagerConfig
import Tokens

/// Who gets keys, and where.
extension Assembly {
    /// What stands before the keys; nil where everybody gets them at the origin's own address.
    func keyDesk() async throws(SetupError) -> KeyDesk? {
        let tokens = try await tokenKeyring()
        let fairPlay = try fairPlayDesk()
        guard tokens != nil || fairPlay != nil || configuration.keysListen != nil || configuration.keyRate != nil else {
            return nil
        }
        return KeyDesk(
            tokens: tokens,
            requestsPerMinute: configuration.keyRate,
            fairPlay: fairPlay,
            now: { [clock] in clock.now },
            logger: logger
        )
    }

    /// What the address of the keys is told; nil where there is none.
    var keysConfiguration: OriginConfiguration? {
        guard let address = configuration.keysListen else { return nil }
        var keys = OriginConfiguration(host: address.host, port: address.port)
        keys.face = .keys
        keys.tokenParameter = configuration.tokenParameter
        keys.maximumConnections = DescriptorBudget(limit: ProcessTuning.descriptorLimit, channels: 0).viewers / 4
        keys.maximumConnectionsPerAddress = max(1, keys.maximumConnections / 2)
        return keys
    }

    /// Certificate and key of the keys' address; nil for plain HTTP.
    func keysTLS() throws(SetupError) -> NIOSSLContext? {
        switch (configuration.keysCertificate, configuration.keysPrivateKey) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            guard configuration.keysListen != nil else {
                throw SetupError("--keys-certificate: there is no address to use it at; give --keys-listen")
            }
            do {
                var settings = TLSConfiguration.makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
                )
                settings.minimumTLSVersion = .tlsv12
                settings.applicationProtocols = ["http/1.1"]
                return try NIOSSLContext(configuration: settings)
            } catch {
                throw SetupError("--keys-certificate \(certificate), --keys-private-key \(key): \(error)")
            }
        default: throw SetupError("--keys-certificate and --keys-private-key go together")
        }
    }

    private func tokenKeyring() async throws(SetupError) -> TokenKeyring? {
        guard let place = configuration.tokenKeys else { return nil }
        let isURL = place.contains("://")
        let uptime = ContinuousClock.now
        let keyring = TokenKeyring(
            fetch: { isURL ? try await Self.fetched(place) : [UInt8](try Data(contentsOf: URL(filePath: place))) },
            uptime: { MediaTime(seconds: (ContinuousClock.now - uptime).components.seconds) },
            onResult: { [logger] result in
                switch result {
                case .success(let count): logger.debug("keys of tokens", metadata: ["count": "\(count)"])
                case .failure(let error):
                    logger.warning(
                        "keys of tokens cannot be had: the last ones hold",
                        metadata: ["place": "\(place)", "problem": "\(error)"]
                    )
                }
            }
        )
        do {
            try await keyring.refresh()
        } catch {
            // A server that is away comes back, and viewers who have keys play meanwhile.
            if !isURL { throw SetupError("--token-keys \(place): \(error)") }
        }
        return keyring
    }

    private static func fetched(_ url: String) async throws -> [UInt8] {
        try await OriginClient.withClient(.init(maximumBytes: 1 << 20)) { client throws(FetchError) in
            [UInt8](try await client.fetch(url).body.readableBytesView)
        }
    }

    private func fairPlayDesk() throws(SetupError) -> FairPlayDesk? {
        let (certificates, keys) = (configuration.fairPlayCertificates, configuration.fairPlayPrivateKeys)
        let provisioning = configuration.fairPlayProvisioning
        guard let provider = configuration.fairPlayProvider else {
            if certificates.isEmpty, keys.isEmpty, provisioning.isEmpty { return nil }
            throw SetupError("--fairplay-certificate: there is no plug-in; give --fairplay-provider")
        }
        guard !certificates.isEmpty, keys.count == certificates.count,
            provisioning.isEmpty || provisioning.count == certificates.count
        else {
            throw SetupError(
                "--fairplay-certificate: there have to be as many as there are of --fairplay-private-key, and at least one"
            )
        }
        do {
            let contents = { (path: String) in [UInt8](try Data(contentsOf: URL(filePath: path))) }
            let module = KeySecurityModule(
                certificates: try certificates.indices.map { index in
                    try ApplicationCertificate(
                        der: contents(certificates[index]),
                        privateKey: contents(keys[index]),
                        provisioningData: provisioning.isEmpty ? [] : contents(provisioning[index])
                    )
                },
                provider: try FairPlayProvider(path: provider)
            )
            return FairPlayDesk(module, terms: fairPlayTerms)
        } catch {
            throw SetupError("FairPlay: \(error)")
        }
    }

    private var fairPlayTerms: FairPlayDesk.Terms {
        let seconds = configuration.fairPlayLease.ticks / MediaTime.timescale
        return FairPlayDesk.Terms(
            leaseSeconds: seconds > 0 ? UInt32(clamping: seconds) : nil,
            videoHDCP: configuration.fairPlayHDCP.map { protection in
                switch protection {
                case .none: .notRequired
                case .type0: .type0
                case .type1: .type1
                }
            }
        )
    }
}
