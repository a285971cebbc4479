package import Fetching
import Files
import Glibc
package import MediaCore
import NIOCore
package import TimedText

/// Looks at a file, or a URL, of cues every second.
///
/// One that cannot be read is looked at again until it can: subtitles without a source are empty, and the stream
/// continues.
package struct SubtitleReader: Sendable {
    private let location: String
    private let origin: TimedTextOrigin
    private let fetcher: any Fetcher
    private let clock: any UTCClock
    private let contents: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
    private let disk = DiskReader("subtitles")

    /// The condition of the source.
    package enum Condition: Hashable, Sendable {
        /// It can be read again.
        case readable
        /// It cannot be read, for this reason.
        case unreadable(String)
        /// A part of the text is left out, for this reason; all else is shown.
        case incomplete(String)
    }

    private static let period = Duration.seconds(1)
    /// Bytes that a file may have: more than a day of subtitles, and as many as a server may send.
    private static let longest = 16 << 20

    /// - Parameters:
    ///   - location: A path, or a URL of HTTP.
    ///   - origin: The origin of its times.
    ///   - fetcher: The fetcher for a URL.
    ///   - clock: UTC.
    ///   - contents: Reads a file.
    package init(
        _ location: String,
        origin: TimedTextOrigin,
        fetcher: any Fetcher,
        clock: any UTCClock,
        contents: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8] = {
            try OpenFile.contents(of: $0, limit: $1)
        }
    ) {
        self.location = location
        self.origin = origin
        self.fetcher = fetcher
        self.clock = clock
        self.contents = contents
    }

    /// Reads until it is cancelled.
    ///
    /// - Parameters:
    ///   - onCues: Called with cues in UTC, each once.
    ///   - onCondition: Called with each new condition of the source, but not at first if it can be read.
    package func run(onCues: ([TimedCue]) -> Void, onCondition: (Condition) -> Void) async {
        var feed = SubtitleFeed(origin: origin)
        var condition = Condition.readable
        repeat {
            var found = Condition.readable
            do {
                let (cues, problems) = try feed.received(try await bytes(), now: clock.now)
                if !cues.isEmpty { onCues(cues) }
                for problem in problems { onCondition(.incomplete(problem)) }
            } catch {
                found = .unreadable("\(error)")
            }
            if Task.isCancelled { return }
            if found != condition { onCondition(found) }
            condition = found
        } while (try? await Task.sleep(for: Self.period)) != nil
    }

    private func bytes() async throws -> [UInt8] {
        if location.contains("://") { return Array(buffer: try await fetcher.fetch(location).body) }
        do {
            return try await disk.value { [contents, location] in
                try contents(location, Self.longest)
            }
        } catch let error as FileError {
            throw error.code == ENOENT ? Missing() : Missing(description: error.reason)
        }
    }

    private struct Missing: Error, CustomStringConvertible {
        var description = "there is no such file"
    }
}
