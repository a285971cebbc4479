package import MediaCore

/// What whoever gives a key has the clients of one key system told of it, in place of what would be made here.
package struct KeySignalling: Hashable, Sendable {
    /// EXT-X-KEY's URI; nil where nothing is said of it.
    package var uri: String?
    /// For initialization sections; nil where nothing is said of it.
    package var header: ProtectionSystemHeader?

    package init(uri: String? = nil, header: ProtectionSystemHeader? = nil) {
        self.uri = uri
        self.header = header
    }
}
