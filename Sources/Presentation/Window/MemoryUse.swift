package import MediaCore

/// The memory of a presentation against its limit.
package struct MemoryUse: Hashable, Sendable {
    /// The bytes of every body and every part in memory.
    package var bytes: Int
    package var limit: Int
    /// The bytes that the configured window needs in memory at the present bit rate; nil while too little is listed.
    package var windowBytes: Int?
    /// The same with slots that have left the window and may still be asked for.
    package var allBytes: Int?
    /// The number of segments removed before their time, since the start.
    package var droppedEarly: Int
    /// The length of the playlist, if memory allows less than the configuration.
    package var shortenedTo: MediaTime?

    package init(
        bytes: Int,
        limit: Int,
        windowBytes: Int? = nil,
        allBytes: Int? = nil,
        droppedEarly: Int = 0,
        shortenedTo: MediaTime? = nil
    ) {
        self.bytes = bytes
        self.limit = limit
        self.windowBytes = windowBytes
        self.allBytes = allBytes
        self.droppedEarly = droppedEarly
        self.shortenedTo = shortenedTo
    }

    /// The worst shortage of memory; nil if there is none.
    package var shortage: Shortage? {
        if shortenedTo != nil { return .window }
        if let windowBytes, windowBytes > limit { return .windowToCome }
        if let allBytes, allBytes > limit { return droppedEarly > 0 ? .retention : .retentionToCome }
        return nil
    }

    /// A shortage, from bad to worse.
    package enum Shortage: Int, Hashable, Sendable, Comparable {
        /// Segments that have left the playlist will have to go before their time.
        case retentionToCome
        case retention
        /// The playlist will have to be shorter than configured.
        case windowToCome
        case window

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// A description of the shortage, of its effect on viewers, and of the remedy; nil if there is none.
    package var problem: String? {
        guard let shortage else { return nil }
        let enough = max(allBytes ?? 0, bytes)
        // A tenth more, for changes of the bit rate.
        let help = "raise maximum-memory to \(Self.megabytes(enough + enough / 10)), or shorten the window"
        let held = "\(Self.megabytes(limit)) of maximum-memory"
        return switch shortage {
        case .retentionToCome:
            "at the present rate the window will not leave enough of the \(held) for segments that late players still ask "
                + "for; \(help)"
        case .retention:
            "the \(held) are used up: segments go as soon as they leave the playlist, and late players get 404; \(help)"
        case .windowToCome:
            "at the present rate the window takes \(Self.megabytes(windowBytes ?? 0)) and will not fit into the \(held): the "
                + "playlist will be shorter than configured; \(help)"
        case .window:
            "the \(held) are used up: the playlist is shortened to \(Int(shortenedTo?.seconds ?? 0)) s, and late players get "
                + "404; \(help)"
        }
    }

    private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20)M" }
}
