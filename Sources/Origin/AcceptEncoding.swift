/// What `Accept-Encoding` says of gzip (RFC 9110 § 12.5.3).
package enum AcceptEncoding {
    /// Whether a request with this field takes gzip; one without the field is not asked to.
    package static func allowsGzip(_ field: String?) -> Bool {
        guard let field else { return false }
        var wildcard = false
        for element in field.split(separator: ",") {
            let parameters = element.split(separator: ";")
            guard let coding = parameters.first?.trimmingSpaces.lowercased() else { continue }
            let isAllowed = parameters.dropFirst().allSatisfy { !isZeroWeight($0.trimmingSpaces) }
            // RFC 9110 § 8.4.1.3: x-gzip is the same as gzip. A named coding outweighs the wildcard.
            if coding == "gzip" || coding == "x-gzip" { return isAllowed }
            if coding == "*" { wildcard = isAllowed }
        }
        return wildcard
    }

    /// RFC 9110 § 12.4.2: a weight of 0, with up to three decimals, means "not acceptable".
    private static func isZeroWeight(_ parameter: Substring) -> Bool {
        let text = parameter.lowercased()
        return text.hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "0" || $0 == "." }
    }
}
