/// The rights of a client of the control API; each role has those of the one before it.
package enum ControlRole: String, CaseIterable, Comparable, Sendable {
    /// Reads everything, and changes nothing.
    case readOnly = "read-only"
    /// Selects inputs, and posts cues, splices, date ranges and metadata.
    case `operator`
    /// Adds, changes and removes channels, and reloads the configuration.
    case administrator

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: ControlRole, other: ControlRole) -> Bool { one.rank < other.rank }
}
