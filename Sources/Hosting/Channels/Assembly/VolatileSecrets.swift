import ContentProtection
import Synchronization

/// Master secrets that end with the process, by channel; a channel that is added again keeps its secret.
final class VolatileSecrets: Sendable {
    private let secrets = Mutex<[String: MasterSecret]>([:])

    /// The secret that the process has made up for a channel; nil if that needs none, or has one in a file.
    func known(ofChannel name: String) -> MasterSecret? { secrets.withLock { $0[name] } }

    /// A channel continues with a secret that was made up before.
    func remember(_ secret: MasterSecret, ofChannel name: String) { secrets.withLock { $0[name] = secret } }

    /// - Throws: `OpenSSLError` if the system gives no entropy.
    func secret(ofChannel name: String) throws(OpenSSLError) -> MasterSecret {
        let random = try MasterSecret.random()
        return secrets.withLock { secrets in
            let secret = secrets[name] ?? random
            secrets[name] = secret
            return secret
        }
    }
}
