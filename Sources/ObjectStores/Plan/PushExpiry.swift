/// The end of an object's life in a store.
package enum PushExpiry: Hashable, Sendable {
    /// The object is deleted once no player can want it.
    case delete
    /// The object stays until a rule of the store removes it.
    case keep
}
