import MediaCore
import Playlists
import SCTE35

/// What is said of the programme that neither leaves it nor comes back to it, and whether players have been told.
struct SpliceCommand: Sendable {
    let input: InputID
    var time: MediaTime
    /// How far the feed had come when it was said, in UTC; of what players know, when it was said last.
    var heard: MediaTime
    let bytes: [UInt8]
    var isTold = false

    private let cue: SpliceCue
    /// Of what has no time of its own; a remultiplexer writes times anew.
    private let content: SpliceInfoSection.Content?

    init(_ received: ReceivedCue) {
        (input, time, heard) = (received.input, received.time.wholeMilliseconds, received.heard)
        (bytes, cue) = (received.message.bytes, received.cue)
        content = cue.timestamp == nil ? received.message.section.content : nil
    }

    var name: String { cue.name }

    /// Of its range.
    var id: String { "\(name)-\(time.compact(withMilliseconds: true))" }

    /// Whether it is the same, said again.
    func isSame(as other: SpliceCommand) -> Bool { cue == other.cue && content == other.content }

    /// Whether players were told of it by then, and it was not said since.
    func isOver(at end: MediaTime) -> Bool { isTold && max(heard, time) <= end }

    /// The only tag of its range.
    mutating func tell() -> DateRange {
        isTold = true
        var tag = DateRange(id: id, start: time, duration: .zero)
        tag.spliceCommand = bytes
        return tag
    }
}
