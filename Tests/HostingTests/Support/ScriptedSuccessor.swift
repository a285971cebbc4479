import Succession
import Synchronization

@testable import Hosting

/// A process that answers an upgrade as a script says.
final class ScriptedSuccessor: Successor {
    /// The answer to a message.
    enum Answer: Sendable {
        case says(SuccessionMessage.Kind, [UInt8] = [])
        case refuses(String)
        /// The process ends.
        case dies
        /// The message cannot be sent.
        case isGone
        case silence
    }

    let path = "/opt/packager"
    let identifier: Int32 = 4711
    /// It was ended, and how it says so.
    let ended = Occurrence()
    static let end = "it has ended with exit code 2"

    private let script: [SuccessionMessage.Kind: Answer]
    private let answers = AsyncStream<SuccessionMessage>.makeStream()
    private let sent = Mutex<[SuccessionMessage]>([])

    /// The answers of a process that continues with everything.
    static let willing: [SuccessionMessage.Kind: Answer] = [
        .channels: .says(.prepared), .openFeeds: .says(.feedsOpen), .yours: .says(.listening),
    ]

    /// - Parameter changes: The answers that differ from those of a process that continues with everything.
    init(_ changes: [SuccessionMessage.Kind: Answer] = [:]) {
        script = Self.willing.merging(changes) { $1 }
    }

    /// The messages that it got, in order.
    var messages: [SuccessionMessage] { sent.withLock { $0 } }

    func send(_ message: SuccessionMessage) throws(SuccessionError) {
        sent.withLock { $0.append(message) }
        switch script[message.kind] {
        case .says(let kind, let bytes)?: answers.continuation.yield(SuccessionMessage(kind, bytes: bytes))
        case .refuses(let reason)?:
            answers.continuation.yield(SuccessionMessage(.refused, bytes: Array(reason.utf8)))
        case .dies?: answers.continuation.finish()
        case .isGone?: throw SuccessionError("send: Broken pipe")
        case .silence?, nil: break
        }
    }

    func next() async -> SuccessionMessage? {
        for await message in answers.stream { return message }
        return nil
    }

    func end() async -> String {
        answers.continuation.finish()
        ended.happen()
        return Self.end
    }
}
