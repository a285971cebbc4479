/// Why nothing of a configuration that was read again was taken up.
package struct ReloadRefusal: Error, Hashable {
    /// At least one; a sentence each.
    package var problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }
}

/// Reads the configuration again, and has the process do what it says, or says what that would be.
///
/// - Parameter isRehearsal: Whether nothing is to be changed.
/// - Throws: ``ReloadRefusal``; then nothing has changed.
package typealias Reload = @Sendable (_ isRehearsal: Bool) async throws -> ReloadReport
