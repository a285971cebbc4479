import ContentProtection
import MediaCore
package import Operations

/// A receiver of events by POST.
package struct Webhook: Hashable, Sendable {
    /// The name that operators know it by.
    var name: String
    /// Absolute; it may have a secret in it.
    var url: String
    /// The kinds of events that it gets; empty for all.
    var kinds: Set<ChannelEvent.Kind>
    /// The key that messages are signed with; nil for no signature.
    package var secret: [UInt8]?

    package init(name: String, url: String, kinds: Set<ChannelEvent.Kind> = [], secret: [UInt8]? = nil) {
        (self.name, self.url, self.kinds, self.secret) = (name, url, kinds, secret)
    }

    /// The name under which its place in the history of events is kept.
    var reader: String {
        let digest = (try? MessageDigest.sha256.digest(Array(url.utf8)))?.hex
        return "webhook \(digest ?? name)"
    }
}
