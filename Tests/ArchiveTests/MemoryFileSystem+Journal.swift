import Archive
import MediaCore
import Presentation
import Synchronization
import TestSupport

extension MemoryFileSystem {
    /// Opens the journal of a channel, as a process does that begins: no other has it.
    func openJournal(
        configuration: [String: String] = ["clock": "pts"],
        defaults: [String: String] = [:],
        media: (any MediaStore)? = nil,
        segmentDuration: MediaTime = MediaTime(seconds: 240),
        maximumBytes: Int = .max,
        capacity: Int = 20_000,
        onEvent: @escaping @Sendable (JournalEvent) -> Void
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        state.withLock { $0.locks = [] }
        let opened = try Journal.open(
            directory: "state",
            channel: "live",
            configuration: configuration,
            defaults: defaults,
            media: media,
            segmentDuration: segmentDuration,
            maximumBytes: maximumBytes,
            capacity: capacity,
            fileSystem: self,
            onEvent: onEvent
        )
        // The next process continues with the window.
        opened.journal.reportLosses()
        return opened
    }
}
