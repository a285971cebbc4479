import Logging
import MediaCore
import Operations

/// Pages of teletext that cannot be read, and that can be read again.
extension ChannelEngine {
    /// Reports pages of teletext that cannot be read.
    mutating func reportUnreadableTeletext(_ pages: [Int], _ fault: TeletextFault, of input: InputID) {
        // Perhaps there is no speech.
        let level: Logger.Level = fault == .empty ? .notice : .warning
        let metadata: Logger.Metadata = [
            "pages": "\(Self.list(pages))", "reason": "\(fault.reason)", "viewers": "\(withoutText(of: input))",
            "do": "\(fault.remedy)",
        ]
        log(level, "teletext cannot be read", input, metadata)
        note(
            .inputProblem,
            "\(Self.names(ofPages: pages)) \(pages.count == 1 ? "is" : "are") there, but nothing readable has arrived: "
                + "\(fault.reason).",
            severity: ChannelEvent.Severity(level),
            input: input
        )
    }

    /// Reports pages of teletext that can be read again after a number of seconds.
    mutating func reportReadableTeletext(_ pages: [Int], after seconds: Int, of input: InputID) {
        let metadata: Logger.Metadata = ["pages": "\(Self.list(pages))", "after_seconds": .number(seconds)]
        log(.notice, "teletext can be read", input, metadata)
        note(
            .inputProblem,
            "\(Self.names(ofPages: pages)) can be read, after \(seconds) s without text.",
            severity: .info,
            input: input
        )
    }

    /// Returns the effect on viewers without the text of an input.
    private func withoutText(of input: InputID) -> String {
        let onAir = renditions.filter { $0.plan.position == input.position }.map(\.onAir)
        let other = onAir.compactMap { if case .input(let id) = $0, id != input { id } else { nil } }.min()
        if let other, !onAir.contains(.input(input)) { return "they lose nothing while \(other) is on air" }
        return "their subtitles stay empty; picture and sound go on"
    }

    private static func names(ofPages pages: [Int]) -> String {
        "Teletext page\(pages.count == 1 ? "" : "s") \(list(pages))"
    }

    private static func list(_ pages: [Int]) -> String { pages.map(String.init).joined(separator: ", ") }
}

extension TeletextFault {
    fileprivate var remedy: String {
        switch self {
        case .damaged: "check the connection of the feed, and the teletext inserter"
        case .unended: "set the inserter to send the header of another page after each page (time filling, page FF)"
        case .notShown: "set the inserter to put subtitles into boxes, in PES packets of whole transport packets"
        case .empty: "nothing while nobody speaks; else check the source of the inserter's subtitles"
        }
    }
}
