/// What becomes of a cue that was posted.
package enum CueOutcome: Hashable, Sendable {
    /// It is shown from the segment of this number on.
    case slot(Int64)
    /// It is not shown, for this reason.
    case refused(String)
}
