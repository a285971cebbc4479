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

    private static let period = Duration.seconds(1)
    /// Bytes that a file may have: more than a day of subtitles, and as many as a server may send.
    private static let longest = 16 << 20

    /// - Parameters:
    ///   - location: A path, or a URL of HTTP.
    ///   - origin: The origin of its times.
    ///   - fetcher: The fetcher for a URL.
    ///   - clock: UTC.
    package init(_ location: String, origin: TimedTextOrigin, fetcher: any Fetcher, clock: any UTCClock) {
        self.location = location
        self.origin = origin
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Reads until it is cancelled.
    ///
    /// - Parameters:
    ///   - onCues: Called with cues in UTC, each once.
    ///   - onProblem: Called with a problem, once until it changes; nil if the source can be read again.
    package func run(onCues: ([TimedCue]) -> Void, onProblem: (String?) -> Void) async {
        var feed = SubtitleFeed(origin: origin)
        var problem: String?
        repeat {
            var found: String?
            do {
                let (cues, problems) = try feed.received(try await bytes(), now: clock.now)
                if !cues.isEmpty { onCues(cues) }
                for problem in problems { onProblem(problem) }
            } catch {
                found = "it cannot be read: \(error)"
            }
            if Task.isCancelled { return }
            if found != problem { onProblem(found) }
            problem = found
        } while (try? await Task.sleep(for: Self.period)) != nil
    }

    private func bytes() async throws -> [UInt8] {
        if location.contains("://") { return Array(buffer: try await fetcher.fetch(location).body) }
        do throws(FileError) {
            return try OpenFile.contents(of: location, limit: Self.longest)
        } catch {
            throw error.code == ENOENT ? Missing() : Missing(description: error.reason)
        }
    }

    private struct Missing: Error, CustomStringConvertible {
        var description = "there is no such file"
    }
}
