import Foundation

/// A condition did not come true in time.
package struct NotInTime: Error, CustomStringConvertible {
    package var description: String
}

/// Waits for what only another process can bring about, by asking again and again.
///
/// A condition that holds costs no more than it takes. One that does not is given up late, since a machine on which other
/// tests run may take many times as long as an idle one.
///
/// - Parameters:
///   - seconds: The time that an idle machine needs at most. The condition has four times as long, and a minute at least.
///   - what: For the error.
///   - condition: Nil while it does not hold.
/// - Returns: What the condition returned at last.
/// - Throws: ``NotInTime``, with the error that the condition threw if it was asked last.
package func eventually<Value: Sendable>(
    within seconds: Double,
    _ what: String = "condition",
    _ condition: @Sendable () async throws -> Value?
) async throws -> Value {
    let patience = max(4 * seconds, 60)
    let deadline = ContinuousClock.now + .seconds(patience)
    var last: (any Error)?
    while ContinuousClock.now < deadline {
        do {
            if let value = try await condition() { return value }
            last = nil
        } catch {
            last = error
        }
        // Another process tells nobody when it is ready: it can only be asked.
        try await Task.sleep(for: .milliseconds(50))
    }
    throw NotInTime(description: "\(what) did not hold within \(patience) s \(last.map { "(\($0))" } ?? "")")
}
