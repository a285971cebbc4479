/// What somebody may do at the operator face.
package enum ControlRole: String, CaseIterable, Sendable {
    /// Look at everything, and change nothing.
    case readOnly = "read-only"
    /// Everything.
    case `operator`
}
