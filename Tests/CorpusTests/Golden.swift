import Foundation
import TestSupport

/// The text of what was published when it was recorded.
struct Golden {
    var name: String

    private static let directory = Repository.root.appending(path: "Tests/CorpusTests/Goldens")

    /// True if goldens are to be recorded anew.
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_CORPUS"] == "1"

    /// The names of all.
    static var names: [String] {
        get throws {
            let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
        }
    }

    private var file: URL { Self.directory.appending(path: "\(name).txt") }

    func record(_ text: String) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The first lines that differ, with those before them; nil if none do.
    func difference(from text: String) throws -> String? {
        let golden = try String(contentsOf: file, encoding: .utf8)
        guard golden != text else { return nil }
        let (old, new) = (golden.split(separator: "\n"), text.split(separator: "\n"))
        let same = zip(old, new).prefix { $0 == $1 }.count
        let context = old[max(0, same - 5)..<same].map { "  \($0)" }
        let removed = old[same...].prefix(8).map { "- \($0)" }
        let added = new[same...].prefix(8).map { "+ \($0)" }
        let count = Set(new).symmetricDifference(old).count
        return (["line \(same + 1) of \(name).txt; \(count) lines differ in all"] + context + removed + added)
            .joined(separator: "\n")
    }
}
