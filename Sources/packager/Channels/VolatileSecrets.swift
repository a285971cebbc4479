import ContentProtection
import Synchronization

/// Master secrets that end with the process, by channel: a channel that comes again has the one that it had.
final class VolatileSecrets: Sendable {
    private let secrets = Mutex<[String: MasterSecret]>([:])

    /// - Throws: `OpenSSLError` where the system gives no entropy.
    func secret(ofChannel name: String) throws(OpenSSLError) -> MasterSecret {
        let random = try MasterSecret.random()
        return secrets.withLock { secrets in
            let secret = secrets[name] ?? random
            secrets[name] = secret
            return secret
        }
    }
}
