/// A namespace, and the prefix that it is written with.
package struct Namespace: Hashable, Sendable {
    package let prefix: String
    package let uri: String

    package init(prefix: String, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}
