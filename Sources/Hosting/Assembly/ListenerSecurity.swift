import Control
import Files
import HTTPServing
package import MediaCore
import Operations
package import PackagerConfig

/// The certificates of listeners, and the clients that the control API answers, made of the files that settings name.
package struct ListenerSecurity: Sendable {
    /// A certificate in use.
    struct Listener {
        /// "origin", "keys" or "control", as in `/origin` and the metrics.
        let name: String
        /// The setting of the certificate, and its file.
        let setting: String
        let path: String
        let certificate: ServerCertificate.Followed
    }

    /// The listeners that are encrypted.
    private(set) var listeners: [Listener] = []
    /// The list of tokens of the control API; nil if there is none.
    private(set) var tokens: FollowedFiles<ControlTokens>?
    let tokensPath: String?
    /// Everything that cannot be used.
    package private(set) var problems: [ConfigurationProblem] = []
    private let takesCertificates: Bool

    /// The settings of a certificate and of its key.
    private struct Pair {
        var certificate: (setting: String, path: String)
        var privateKey: (setting: String, path: String)

        /// Pairs the files; nil if one of them is missing, which is already reported.
        init?(_ name: String, _ certificate: String?, _ privateKey: String?) {
            guard let certificate, let privateKey else { return nil }
            self.certificate = ("\(name)-certificate", certificate)
            self.privateKey = ("\(name)-private-key", privateKey)
        }
    }

    /// Reads all files, even if some are wrong.
    package init(_ reading: ConfigurationReading) {
        let configuration = reading.configuration
        let authority = configuration.controlClientAuthority
        takesCertificates = authority != nil
        tokensPath = configuration.controlTokens
        let common = Pair("tls", configuration.certificate, configuration.privateKey)
        let ofKeys = Pair("keys", configuration.keysCertificate, configuration.keysPrivateKey)
        let ofControl = Pair("control", configuration.controlCertificate, configuration.controlPrivateKey)
        if let common { add("origin", common, nil, reading) }
        if configuration.keysListen != nil, let pair = ofKeys ?? common { add("keys", pair, nil, reading) }
        if let pair = ofControl ?? common { add("control", pair, authority, reading) }
        if let path = tokensPath {
            tokens = check(reading, "control-tokens", path) {
                try FollowedFiles([path]) { try ControlTokens(list: $0[0]) }
            }
        }
    }

    /// True if there is a file that may change.
    var hasFiles: Bool { !listeners.isEmpty || tokens != nil }

    subscript(listener: String) -> ServerCertificate.Followed? { listeners.first { $0.name == listener }?.certificate }

    var access: ControlAccess { ControlAccess(tokens: tokens, takesCertificates: takesCertificates) }

    var status: [OriginStatus.Certificate] {
        listeners.map { OriginStatus.Certificate(listener: $0.name, expiry: Timestamp($0.certificate.value.expiry)) }
    }

    /// Lists the certificates that are to be renewed soon.
    package func warnings(at now: MediaTime) -> [String] {
        var warnings: [String] = []
        for listener in listeners {
            let expiry = CertificateExpiry(listener.certificate.value.expiry, at: now)
            guard let text = expiry.warning else { continue }
            let warning = "\(listener.setting): \(listener.path): \(text)"
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return warnings
    }

    private mutating func add(_ listener: String, _ pair: Pair, _ authority: String?, _ reading: ConfigurationReading) {
        var files = [pair.certificate, pair.privateKey]
        if let authority { files.append(("control-client-authority", authority)) }
        // A missing file is one problem, even if several listeners need it.
        let found = files.map { setting, path in
            check(reading, setting, path) { _ = try FollowedFiles([path]) { _ in } } != nil
        }
        guard !found.contains(false) else { return }
        do {
            let certificate = try ServerCertificate.followed(
                certificate: pair.certificate.path,
                privateKey: pair.privateKey.path,
                clientAuthorities: authority
            )
            listeners.append(
                Listener(
                    name: listener,
                    setting: pair.certificate.setting,
                    path: pair.certificate.path,
                    certificate: certificate
                )
            )
        } catch {
            let (setting, path) =
                switch error as? ServerCertificateError {
                case .noPrivateKey, .mismatch: files[1]
                case .noClientAuthority: files[files.count - 1]
                case .noCertificate, nil: files[0]
                }
            note(reading.problem(setting, "\(path): \(error)"))
        }
    }

    /// Uses a file of a setting, and notes a problem with it.
    ///
    /// - Returns: The result; nil if there is a problem.
    @discardableResult
    private mutating func check<Value>(
        _ reading: ConfigurationReading,
        _ setting: String,
        _ path: String,
        _ body: () throws -> Value
    ) -> Value? {
        do {
            return try body()
        } catch let error as FileError {
            note(reading.problem(setting, "\(path): \(error.reason)"))
        } catch {
            note(reading.problem(setting, "\(path): \(error)"))
        }
        return nil
    }

    /// Records a problem once, though several listeners may have the same files.
    private mutating func note(_ problem: ConfigurationProblem) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}
