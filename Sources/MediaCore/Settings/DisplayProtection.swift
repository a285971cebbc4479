/// How the way to a display has to be protected (HDCP).
package enum DisplayProtection: String, Hashable, Sendable, CaseIterable {
    case none
    case type0 = "type-0"
    case type1 = "type-1"
}
