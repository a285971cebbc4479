import MediaCore
import Playlists
import SCTE35

/// A message about the programme that neither leaves it nor comes back to it, with its announcement to players.
struct SpliceCommand: Sendable {
    let input: InputID
    var time: MediaTime
    /// The progress of the feed when the message came, in UTC; for one that players know, when it came last.
    var heard: MediaTime
    let bytes: [UInt8]
    var isAnnounced = false

    private let cue: SpliceCue
    /// The content of a message without a time of its own; a remultiplexer writes times anew.
    private let content: SpliceInfoSection.Content?

    init(_ received: ReceivedCue) {
        (input, time, heard) = (received.input, received.time.wholeMilliseconds, received.heard)
        (bytes, cue) = (received.message.bytes, received.cue)
        content = cue.timestamp == nil ? received.message.section.content : nil
    }

    var name: String { cue.name }

    /// The ID of its range.
    var id: String { "\(name)-\(time.compact(withMilliseconds: true))" }

    /// Returns true if the other one repeats it.
    func isSame(as other: SpliceCommand) -> Bool { cue == other.cue && content == other.content }

    /// Returns true if it was announced by then, and not repeated since.
    func isOver(at end: MediaTime) -> Bool { isAnnounced && max(heard, time) <= end }

    /// Returns the only tag of its range.
    mutating func announce() -> DateRange {
        isAnnounced = true
        var tag = DateRange(id: id, start: time, duration: .zero)
        tag.spliceCommand = bytes
        return tag
    }
}
