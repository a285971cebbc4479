import Dispatch

/// Threads that make the forms of playlists that viewers wait for, apart from event loops and publishing threads.
package struct TextExecutor: Sendable {
    let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter execute: Does some work, now or later, on any thread.
    package init(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.execute = execute
    }

    /// The threads of the process; no text waits for another.
    package static let shared = {
        let queue = DispatchQueue(label: "playlists", qos: .userInitiated, attributes: .concurrent)
        return TextExecutor { work in queue.async(execute: work) }
    }()

    /// The caller's own thread, which waits.
    package static let inline = TextExecutor { work in work() }
}
