/// A limit that can keep connections from being opened, or close them.
package enum ConnectionLimit: String, Hashable, Sendable, CaseIterable {
    /// There are as many as there may be: those that were idle for longest gave way.
    case displaced
    /// There are as many as there may be, all of them being answered: new ones were refused.
    case full
    /// One address has as many as it may have: its own were closed, or new ones of it refused.
    case address
    /// The process may open no more files: new ones wait.
    case descriptors
}
