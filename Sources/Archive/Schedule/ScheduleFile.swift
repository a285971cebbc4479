package import Dispatch
package import Files
import Foundation
import NIOCore
package import Operations
import Synchronization

/// Stores accepted actions beside the channel's journal, so that they survive the end of the process at
/// any moment.
///
/// The file is replaced as a whole with every action, so it is never half written.
package final class ScheduleFile: Sendable {
    private let path: String
    private let fileSystem: any FileSystem
    private let onEvent: @Sendable (JournalEvent) -> Void
    private let queue = DispatchQueue(label: "schedule", qos: .userInitiated)
    private let retryDelay: DispatchTimeInterval
    private let problem = Mutex<String?>(nil)

    /// The most bytes of a file, more than a schedule and its peer's ever take.
    private static let longest = 1 << 25

    /// - Parameters:
    ///   - directory: The directory with the journals of all channels, in which the channel's own must exist.
    ///   - channel: Its name.
    ///   - fileSystem: The file system that the directory is in.
    ///   - retryDelay: The time after which a failed write is tried again.
    ///   - onEvent: Called with events for the operator, on any thread.
    package init(
        directory: String,
        channel: String,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        retryDelay: DispatchTimeInterval = .seconds(10),
        onEvent: @escaping @Sendable (JournalEvent) -> Void
    ) {
        path = "\(directory)/\(channel)/schedule"
        self.fileSystem = fileSystem
        self.retryDelay = retryDelay
        self.onEvent = onEvent
    }

    /// Returns the actions of an earlier process.
    ///
    /// An unreadable file is reported, and not changed.
    package func read() -> [ScheduleAction] {
        do {
            guard let bytes = try fileSystem.read(path, limit: Self.longest) else { return [] }
            return try ScheduleDocument(json: Data(bytes.readableBytesView)).actions
        } catch {
            onEvent(.lost(what: "\(path), which has the scheduled posts, cannot be read"))
            return []
        }
    }

    /// Writes the present actions, after other writes.
    ///
    /// - Parameter actions: Returns the actions at the time of writing.
    /// - Returns: The reason of a failure; nil for a success.
    package func keep(_ actions: @escaping @Sendable () -> [ScheduleAction]) async -> String? {
        await queue.run { [self] in write(actions) }
    }

    private func write(_ actions: @escaping @Sendable () -> [ScheduleAction]) -> String? {
        var reason: String?
        do {
            try fileSystem.replace(path, ByteBuffer(bytes: ScheduleDocument(actions: actions()).json()))
        } catch {
            reason = "\(error)"
        }
        let before = problem.withLock { problem in
            defer { problem = reason }
            return problem
        }
        if let reason, before == nil {
            onEvent(.began(.schedule, reason: reason))
            retry(actions)
        }
        if reason == nil, before != nil { onEvent(.ended(.schedule)) }
        return reason
    }

    /// Repeats the write until it, or a later one, succeeds.
    private func retry(_ actions: @escaping @Sendable () -> [ScheduleAction]) {
        queue.asyncAfter(deadline: .now() + retryDelay) { [weak self] in
            guard let self, problem.withLock({ $0 != nil }) else { return }
            if write(actions) != nil { retry(actions) }
        }
    }
}
