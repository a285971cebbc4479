/// The rule for removing objects from a store.
package enum PushExpiry: Hashable, Sendable {
    /// Objects are deleted once no player can want them.
    case delete
    /// Objects stay until a rule of the store removes them.
    case keep
}
