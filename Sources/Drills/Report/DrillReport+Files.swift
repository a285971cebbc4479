import Foundation
import MediaCore

extension DrillReport {
    /// Writes `NAME.html` and `NAME.json`.
    ///
    /// - Parameter directory: The directory; made if it is missing.
    /// - Returns: The page's path.
    /// - Throws: The error of the file system.
    @discardableResult
    package func write(to directory: String) throws -> String {
        let folder = URL(filePath: directory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let page = folder.appending(path: "\(name).html")
        try Data(ReportPage(report: self).render().utf8).write(to: page, options: .atomic)
        try json().write(to: folder.appending(path: "\(name).json"), options: .atomic)
        return page.path
    }

    /// Keys sorted, so that equal reports are equal texts.
    func json() throws -> Data {
        try JSONEncoder.readable.encode(self)
    }

    /// Writes `index.html`, which leads to the pages of several drills.
    ///
    /// - Returns: Its path.
    /// - Throws: The error of the file system.
    @discardableResult
    package static func writeIndex(of reports: [DrillReport], to directory: String) throws -> String {
        let page = URL(filePath: directory).appending(path: "index.html")
        try Data(IndexPage(reports: reports).render().utf8).write(to: page, options: .atomic)
        return page.path
    }

    /// One line for a terminal: the verdict, and the unmet expectations.
    package var summary: String {
        let missed = checks.filter { !$0.isMet }.map { check in
            let metric = check.limits.metric
            let value = check.value.map(metric.text) ?? "not measured"
            return "\(metric.title.lowercased()) \(value) (\(check.limits.text) expected)"
        }
        let shown: [Metric] = [.gap, .discontinuities, .stall]
        let values = shown.compactMap { metric in
            measurements[metric].map { "\(metric.title.lowercased()) \(metric.text($0))" }
        }
        let details = missed.isEmpty ? reason.map { [$0] } ?? values : missed + [reason].compactMap(\.self)
        return "\(name): \(outcome.title.lowercased()): \(details.joined(separator: ", "))"
    }

    /// A sentence about the effect on viewers; nil if nothing was measured.
    package var verdict: String? {
        guard outcome != .skipped, let stall = measurements[.stall] else { return nil }
        // Stalls of less than a tenth of a second are invisible.
        if stall >= 0.1 {
            return "Viewers waited for the picture for \(Metric.stall.text(stall)) in all, then it went on."
        }
        if let jump = measurements[.jump], jump > 0 {
            return "Viewers saw the picture jump over \(Metric.jump.text(jump)), and waited for nothing."
        }
        if let gap = measurements[.gap], gap > 0 {
            return "Players were told of \(Metric.gap.text(gap)) without media, and waited for nothing."
        }
        if let filler = measurements[.filler], filler > 0 {
            return
                "Viewers saw what stands in for the programme for \(Metric.filler.text(filler)), and waited for nothing."
        }
        return "Viewers noticed nothing."
    }
}
