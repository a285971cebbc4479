import HTTPServing

/// The preconditions of a request (RFC 9110 § 13), so that no client undoes a change that it has not
/// seen.
package struct Precondition: Hashable, Sendable {
    /// The entity tags that the resource may have; nil without this condition.
    private var wanted: Demand?
    /// The entity tags that the resource must not have.
    private var unwanted: Demand?

    private enum Demand: Hashable {
        case any
        case tags(Set<String>)

        func includes(_ tag: String?) -> Bool {
            guard let tag else { return false }
            return switch self {
            case .any: true
            case .tags(let tags): tags.contains(tag)
            }
        }
    }

    /// Makes a precondition that always holds.
    package init() {}

    init(_ request: Request) {
        wanted = request.field("If-Match").map { Self.demand($0).demand }
        // What cannot be read lets nothing through.
        unwanted = request.field("If-None-Match").map { field in
            let (demand, isWhole) = Self.demand(field)
            return isWhole ? demand : .any
        }
    }

    /// Reads a field.
    ///
    /// Comparison is strong (§ 8.8.3.2), so that weak tags match nothing.
    ///
    /// - Returns: The tags up to the first that is malformed, and true if none is.
    private static func demand(_ field: String) -> (demand: Demand, isWhole: Bool) {
        if EntityTag.isAny(field) { return (.any, true) }
        let (tags, areAll) = EntityTag.tags(in: field)
        return (.tags(Set(tags.filter { !$0.isWeak }.map { String($0.tag) })), areAll)
    }

    /// Returns true if a change may continue.
    ///
    /// - Parameter entityTag: The tag of the resource; nil if there is none.
    /// - Returns: False for an answer with 412.
    package func allows(_ entityTag: String?) -> Bool {
        if let wanted, !wanted.includes(entityTag) { return false }
        return unwanted.map { !$0.includes(entityTag) } ?? true
    }
}
