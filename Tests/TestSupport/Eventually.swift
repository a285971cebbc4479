import Foundation

/// A condition did not come true in time.
package struct NotInTime: Error, CustomStringConvertible {
    package var description: String
}

/// Waits for what only another process can bring about, by asking again and again.
///
/// - Parameters:
///   - seconds: Give up after this long.
///   - what: For the error.
///   - condition: Nil while it does not hold.
/// - Returns: What the condition returned at last.
/// - Throws: ``NotInTime``, with the last error that the condition threw.
package func eventually<Value: Sendable>(
    within seconds: Double,
    _ what: String = "condition",
    _ condition: @Sendable () async throws -> Value?
) async throws -> Value {
    let deadline = Date.now + seconds
    var last: (any Error)?
    while Date.now < deadline {
        do {
            if let value = try await condition() { return value }
        } catch {
            last = error
        }
        // Another process tells nobody when it is ready: it can only be asked.
        try await Task.sleep(for: .milliseconds(50))
    }
    throw NotInTime(description: "\(what) did not hold within \(seconds) s \(last.map { "(\($0))" } ?? "")")
}
