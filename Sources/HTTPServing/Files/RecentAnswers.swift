package import NIOCore
import NIOHTTP1
import Synchronization

/// Answers with whole files that were made within the last second: the next clients get them without a look at the
/// disk.
///
/// Bytes that were loaded so lately are in the system's memory, and a file that is being sent is open. An answer
/// that is older, or whose file is no longer being sent, is made anew.
package final class RecentAnswers: Sendable {
    /// The most answers that are kept.
    static let capacity = 64
    /// The time for which an answer is given again.
    static let lifetime = TimeAmount.seconds(1)

    private let entries = Mutex<[String: Entry]>([:])

    private struct Entry {
        let head: PreparedAnswer.Head
        weak var file: SharedFile?
        let range: Range<Int>
        let end: NIODeadline
    }

    package init() {}

    /// Keeps an answer with a whole file; others are not kept.
    ///
    /// - Parameters:
    ///   - answer: The answer to a GET.
    ///   - path: The path that it is found by.
    ///   - time: The time at which its bytes were loaded.
    package func note(_ answer: Answer, at path: String, _ time: NIODeadline) {
        guard answer.status == .ok, let part = answer.file, let file = part.lease as? SharedFile else { return }
        let entry = Entry(head: PreparedAnswer.Head(answer), file: file, range: part.range, end: time + Self.lifetime)
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries = entries.filter { time < $0.value.end } }
            if entries.count < Self.capacity || entries[path] != nil { entries[path] = entry }
        }
    }

    /// Returns an answer that was kept within the last second, and whose file is still open.
    package func answer(at path: String, _ time: NIODeadline) -> (head: PreparedAnswer.Head, file: FilePart)? {
        let found = entries.withLock { entries -> (PreparedAnswer.Head, SharedFile, Range<Int>)? in
            guard let entry = entries[path], time < entry.end, let file = entry.file else { return nil }
            return (entry.head, file, entry.range)
        }
        return found.map { ($0, FilePart($1.file, $2, lease: $1)) }
    }
}
