package import Dispatch
package import Files
import Foundation
import NIOCore
package import Operations
import Synchronization

/// Keeps what was accepted for later on disk, beside the channel's journal, so that it survives the end of the process at
/// any moment.
///
/// The file is replaced whole with every action: half of one is never found.
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
    ///   - directory: The directory with the journals of all channels; the channel's own directory in it is there.
    ///   - channel: Its name.
    ///   - fileSystem: The file system that the directory is in.
    ///   - retryDelay: The time after which a failed write is tried again.
    ///   - onEvent: Called with news for the operator, on any thread.
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

    /// Returns the actions that an earlier process has left; what cannot be read is reported, and left as it is.
    package func read() -> [ScheduleAction] {
        do {
            guard let bytes = try fileSystem.read(path, limit: Self.longest) else { return [] }
            return try ScheduleDocument(json: Data(bytes.readableBytesView)).actions
        } catch {
            onEvent(.lost(what: "\(path), which has the scheduled posts, cannot be read"))
            return []
        }
    }

    /// Writes what there is, after whatever is being written.
    ///
    /// - Parameter actions: Says what there is once it is its turn.
    /// - Returns: The reason why it could not be written; nil if it was.
    package func keep(_ actions: @escaping @Sendable () -> [ScheduleAction]) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: write(actions))
            }
        }
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

    /// Writes again until it is written, by this or by what follows.
    private func retry(_ actions: @escaping @Sendable () -> [ScheduleAction]) {
        queue.asyncAfter(deadline: .now() + retryDelay) { [weak self] in
            guard let self, problem.withLock({ $0 != nil }) else { return }
            if write(actions) != nil { retry(actions) }
        }
    }
}
