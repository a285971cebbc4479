package import MediaCore

/// How the bytes that a presentation holds stand to its limit.
package struct MemoryUse: Hashable, Sendable {
    /// Of every body and every part in memory.
    package var bytes: Int
    package var limit: Int
    /// What has to be in memory of the configured window at the rate of what is listed; nil while too little is.
    package var windowBytes: Int?
    /// The same with what has left the window and may still be asked for.
    package var allBytes: Int?
    /// Segments taken away before their time, since the start.
    package var droppedEarly: Int
    /// Length of the playlist where that is less than configured, for want of memory.
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

    /// What the limit makes scarce; the worst of it.
    package var shortage: Shortage? {
        if shortenedTo != nil { return .window }
        if let windowBytes, windowBytes > limit { return .windowToCome }
        if let allBytes, allBytes > limit { return droppedEarly > 0 ? .retention : .retentionToCome }
        return nil
    }

    /// From bad to worse.
    package enum Shortage: Int, Hashable, Sendable, Comparable {
        /// Segments that have left the playlist will have to go before their time.
        case retentionToCome
        case retention
        /// The playlist will have to be shorter than configured.
        case windowToCome
        case window

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// What is scarce, what that means to viewers, and what helps; nil where nothing is.
    package var problem: String? {
        guard let shortage else { return nil }
        let enough = max(allBytes ?? 0, bytes)
        // A tenth more, for what the rate does.
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
