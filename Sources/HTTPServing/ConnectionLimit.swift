/// A limit that can keep connections from being opened, or close them.
package enum ConnectionLimit: String, Hashable, Sendable, CaseIterable {
    /// The limit is reached: the connections that were idle for longest were closed.
    case displaced
    /// The limit is reached, and all connections are in use: new ones were refused.
    case full
    /// An address has reached its limit: idle connections of it were closed, or new ones refused.
    case address
    /// The process may open no more files: new ones wait.
    case descriptors
}
