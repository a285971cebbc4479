/// The protection that the way to a display must have (HDCP).
package enum DisplayProtection: String, Hashable, Sendable, CaseIterable {
    case none
    case type0 = "type-0"
    case type1 = "type-1"
}
