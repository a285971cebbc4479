/// What `Accept-Encoding` allows (RFC 9110 § 12.5.3).
package struct AcceptEncoding: Hashable, Sendable {
    /// A request without the field is not asked to take it.
    package var allowsGzip = false
    /// Allowed unless it is excluded by name, or by the wildcard.
    package var allowsIdentity = true

    package init(_ field: String?) {
        guard let field else { return }
        var (gzip, identity, wildcard): (Bool?, Bool?, Bool?)
        for element in field.split(separator: ",") {
            let parameters = element.split(separator: ";")
            guard let coding = parameters.first?.trimmingSpaces.lowercased() else { continue }
            let isAllowed = parameters.dropFirst().allSatisfy { !Self.isZeroWeight($0) }
            // A named coding outweighs the wildcard.
            switch coding {
            // § 8.4.1.3: x-gzip is the same as gzip.
            case "gzip", "x-gzip": gzip = gzip ?? isAllowed
            case "identity": identity = identity ?? isAllowed
            case "*": wildcard = wildcard ?? isAllowed
            default: break
            }
        }
        allowsGzip = gzip ?? wildcard ?? false
        allowsIdentity = identity ?? wildcard ?? true
    }

    /// Whether a parameter is a weight of 0, with up to three decimals: "not acceptable" (RFC 9110 § 12.4.2).
    ///
    /// Space around its "=" is no part of the syntax, but what is meant is clear.
    private static func isZeroWeight(_ parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingSpaces.lowercased() == "q" else { return false }
        let weight = parts[1].trimmingSpaces
        return weight.first == "0" && weight.dropFirst().allSatisfy { $0 == "0" || $0 == "." }
    }
}
