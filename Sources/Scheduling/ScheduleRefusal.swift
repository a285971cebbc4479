package import MediaCore

/// Why something is not put on air; its description is a phrase.
package enum ScheduleRefusal: Hashable, Sendable {
    /// It is over where the newest segment ends: UTC up to which viewers have what there is.
    case over(before: MediaTime)
    /// It is over before both members of a pair can have it: UTC from which they can.
    case overForPair(before: MediaTime)
    /// It begins later than it would be kept for.
    case tooEarly(limit: MediaTime)
    /// There is as much waiting as is kept.
    case tooMany
}

extension ScheduleRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .over(let end): "it is over before \(end.iso8601), up to where viewers have their segments"
        case .overForPair(let earliest):
            "it is over before \(earliest.iso8601), from when on both members of the pair can have it"
        case .tooEarly(let limit): "it begins more than \(limit.phrase) from now; post it later"
        case .tooMany: "as much is waiting as is kept; post it later"
        }
    }
}

extension MediaTime {
    /// In whole hours or minutes.
    fileprivate var phrase: String {
        let minutes = Int(seconds) / 60
        return minutes == 60 ? "an hour" : minutes.isMultiple(of: 60) ? "\(minutes / 60) hours" : "\(minutes) minutes"
    }
}
