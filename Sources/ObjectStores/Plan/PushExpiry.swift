/// The end of an object's life in a store.
package enum PushExpiry: Hashable, Sendable {
    /// It is deleted once no player can want it.
    case delete
    /// It stays, until a rule of the store removes it.
    case keep
}
