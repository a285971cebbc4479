import Dispatch

/// Threads on which those forms of playlists are made that viewers wait for: neither event loops nor those that publish.
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
