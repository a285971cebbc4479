import Foundation
import MediaCore
import Synchronization

/// A growing file of WebVTT, as a live subtitler writes it: a cue every two seconds, in times of day.
final class SubtitleSource: Sendable {
    let language: String
    let path: String
    private let isLost = Mutex(false)

    init(language: String, path: String) {
        (self.language, self.path) = (language, path)
    }

    /// The value of `--subtitles`.
    var option: String { "\(language)=\(path)" }

    /// Removes the source until it is restored.
    func lose() {
        isLost.withLock { isLost in
            isLost = true
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    func find() { isLost.withLock { $0 = false } }

    /// Writes until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let text = Self.text(at: Int64(Date.now.timeIntervalSince1970))
            isLost.withLock { isLost in
                if !isLost { try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// The cues around a second of UTC: they are written six seconds ahead.
    static func text(at second: Int64) -> String {
        let cues = stride(from: second / 2 * 2 - 20, to: second + 6, by: 2).map { start in
            "\(timestamp(start)) --> \(timestamp(start + 2))\nIt is \(timestamp(start).prefix(8)).\n"
        }
        return "WEBVTT\n\n" + cues.joined(separator: "\n")
    }

    /// The time since midnight, as WebVTT writes it.
    private static func timestamp(_ second: Int64) -> String {
        let second = second % 86_400
        return String(format: "%02d:%02d:%02d.000", Int(second / 3_600), Int(second / 60 % 60), Int(second % 60))
    }
}
