package import MediaCore

/// An event of a recording for the operator; its description is a sentence.
package enum RecordingEvent: Hashable, Sendable, CustomStringConvertible {
    case began(RecordingProblem, reason: String)
    case ended(RecordingProblem)
    /// The disk is full, so that the oldest slots were removed before their time.
    case shed(Range<MediaSequenceNumber>)
    /// The end of a block was damaged; the slots from this one on are gaps.
    case torn(after: MediaSequenceNumber?, file: String)

    package var description: String {
        switch self {
        case .began(.writing, let reason): "slots are not recorded, and will be gaps in the past: \(reason)"
        case .ended(.writing): "slots are recorded again"
        case .began(.late, let reason): "the recording is late: \(reason)"
        case .ended(.late): "the recording keeps up again"
        case .began(.reading, let reason): "some of the recording cannot be served: \(reason)"
        case .ended(.reading): "all of the recording can be served again"
        case .began(.synchronization, let reason): "the recording would not survive a power cut: \(reason)"
        case .ended(.synchronization): "the recording would survive a power cut again"
        case .began(.removal, let reason): "the oldest slots of the recording cannot be removed: \(reason)"
        case .ended(.removal): "the oldest slots of the recording can be removed again"
        case .shed(let numbers):
            "the disk is full: slots \(numbers.lowerBound) to \(numbers.upperBound.previous) were removed from the "
                + "recording before their time; viewers can no longer start there; free space, or set record-size"
        case .torn(let last, let file):
            "\(file) is damaged: the slots of its block\(last.map { " after \($0)" } ?? "") are gaps in the past"
        }
    }
}

/// A problem of a recording; the stream continues.
package enum RecordingProblem: String, Hashable, Sendable, CaseIterable {
    /// Slots cannot be written.
    case writing
    /// Slots are published before they are written, or are not written at all.
    case late
    /// Recorded files cannot be read.
    case reading
    /// Bytes that were written do not reach the disk.
    case synchronization
    /// The oldest blocks cannot be removed.
    case removal
}
