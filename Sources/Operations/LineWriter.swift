import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// Writes lines to a standard stream, and never makes a caller wait for it.
///
/// A `write` to a stopped terminal, a pipe without a reader or a hanging log collector does not return.
/// So one queue does the writing. Lines that come meanwhile are kept up to a limit, and counted beyond it.
package final class LineWriter: Sendable {
    package static let standardOutput = LineWriter(STDOUT_FILENO)
    package static let standardError = LineWriter(
        STDERR_FILENO,
        isJournal: JournalStream.reads(STDERR_FILENO, environment: ProcessInfo.processInfo.environment)
    )

    package let isTerminal: Bool
    /// True if the journal of systemd reads the lines: it has a time of its own for each, and wants its priority.
    private let isJournal: Bool
    private let descriptor: CInt
    private let reportsLosses: Bool
    private let queue: DispatchQueue
    private let state: Mutex<State>

    private struct State {
        var lines: LineQueue
        /// True if the queue is already going to write the lines that wait.
        var isScheduled = false
        /// The format of the line that reports lost lines.
        var format = LogFormat.text
    }

    /// - Parameters:
    ///   - descriptor: The descriptor of a file that stays open.
    ///   - capacity: Bytes of lines that may wait to be written.
    ///   - reportsLosses: True if a line says how many were lost; where lines have a form of their own it would have
    ///     none.
    ///   - isJournal: True if the journal of systemd reads them.
    init(_ descriptor: CInt, capacity: Int = 1 << 20, reportsLosses: Bool = true, isJournal: Bool = false) {
        self.descriptor = descriptor
        self.isJournal = isJournal
        self.reportsLosses = reportsLosses
        isTerminal = isatty(descriptor) == 1
        queue = DispatchQueue(label: "lines.\(descriptor)")
        state = Mutex(State(lines: LineQueue(capacity: capacity)))
    }

    /// Sets the format in which the number of lost lines is reported.
    package func setFormat(_ format: LogFormat) {
        state.withLock { $0.format = format }
    }

    /// Writes a line, above the progress line if there is one.
    ///
    /// - Parameters:
    ///   - line: Without a line break at its end.
    ///   - count: The lines that it is.
    ///   - isExpendable: True if it is the first to be lost where too many wait.
    package func write(_ line: String, count: Int = 1, isExpendable: Bool = false) {
        change { $0.append(line, count: count, isExpendable: isExpendable) }
    }

    /// Writes a line of the log.
    func write(_ line: LogLine, _ format: LogFormat) {
        write(text(of: line, format), isExpendable: line.level <= .info)
    }

    /// Writes why the program ends; it may be several lines.
    package func complain(_ text: String) {
        let prefix = isJournal ? JournalStream.prefix(.critical) : ""
        write(text.split(separator: "\n", omittingEmptySubsequences: false).map { prefix + $0 }.joined(separator: "\n"))
    }

    private func text(of line: LogLine, _ format: LogFormat) -> String {
        isJournal ? JournalStream.prefix(line.level) + line.text(format, isTimed: false) : line.text(format)
    }

    /// Replaces the progress line.
    package func show(progress text: String) {
        change { $0.show(progress: text) }
    }

    /// Returns once all is written that was handed over before, or the time is up.
    func flush(until deadline: DispatchTime) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: deadline)
    }

    private func change(_ change: (inout LineQueue) -> Void) {
        let isScheduled = state.withLock { state in
            change(&state.lines)
            defer { state.isScheduled = true }
            return state.isScheduled
        }
        if !isScheduled { queue.async { self.drain() } }
    }

    private func drain() {
        while let batch = next() {
            if StandardStreams.write(batch.text, to: descriptor) == 0 { continue }
            // The loss is reported with the next line, which may succeed.
            return state.withLock { state in
                state.isScheduled = false
                state.lines.lost(batch)
            }
        }
    }

    private func next() -> LineQueue.Batch? {
        state.withLock { state in
            let format = state.format
            let batch = state.lines.take { count in
                guard reportsLosses else { return nil }
                let lost = count == 1 ? "1 log line was lost" : "\(count) log lines were lost"
                let effect = [
                    (name: "viewers", value: "they notice nothing"),
                    (name: "do", value: "check the program that reads the log, and the free space on its disk"),
                ]
                return text(
                    of: LogLine(.warning, "\(lost): nobody read them, or they could not be written", effect),
                    format
                )
            }
            state.isScheduled = batch != nil
            return batch
        }
    }
}
