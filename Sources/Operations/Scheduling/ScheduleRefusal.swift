package import MediaCore
import Playlists

/// The reason why something is not put on air; its description is a phrase.
package enum ScheduleRefusal: Hashable, Sendable {
    /// The action is over before the end of the newest segment, in UTC.
    case over(before: MediaTime)
    /// The action is over before both members of a pair can apply it; the time from which they can, in UTC.
    case overForPair(before: MediaTime)
    /// The action begins too far in the future to be kept.
    case tooEarly(limit: MediaTime)
    /// The schedule is full.
    case tooMany
    /// The range breaks a rule of RFC 8216bis § 4.4.5.1, which the text names.
    case brokenRange(String)
    case rangeExists(String)
    case noRange(String)
    /// UTC.
    case rangeIsOver(MediaTime)
    /// The attributes that differ from those announced to players.
    case alteredRange([String])
    case nothingNew
    /// The range has an end already, in UTC.
    case endIsAnnounced(MediaTime)
    case endsOnNext
    case rangeOfSplice
    /// The time lies before the earliest time in UTC that an action can have.
    case past(earliest: MediaTime)
    case brokenSection(String)
    /// The section has no splice that playlists can signal.
    case sectionOfNothing
    case noSplices

    /// True if nothing has this name.
    package var isOfUnknown: Bool { if case .noRange = self { true } else { false } }

    /// True if it contradicts attributes that were announced to players, or will be.
    package var isConflict: Bool {
        switch self {
        case .rangeExists, .rangeIsOver, .alteredRange, .endIsAnnounced, .endsOnNext, .rangeOfSplice: true
        default: false
        }
    }
}

extension ScheduleRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .over(let end): "it ends before \(end.iso8601), and viewers already have segments up to then"
        case .overForPair(let earliest):
            "it ends before \(earliest.iso8601), the earliest time for both members of the pair"
        case .tooEarly(let limit): "it begins more than \(limit.phrase) from now; post it later"
        case .brokenRange(let rule): rule
        case .rangeExists(let id): "there is a range \"\(id)\" already, and an ID is never used for another range"
        case .noRange(let id): "there is no range \"\(id)\""
        case .rangeIsOver(let end): "it ended at \(end.iso8601)"
        case .alteredRange(let names):
            "\(names.joined(separator: ", ")) is announced already, or will be, and attributes of a range never change"
        case .nothingNew: "the range has these attributes already"
        case .endIsAnnounced(let end):
            "its end, \(end.iso8601), is announced already, or will be, and attributes of a range never change"
        case .endsOnNext: "it has END-ON-NEXT: it ends where the next of its CLASS begins"
        case .rangeOfSplice: "it belongs to a splice, which ends it"
        case .past(let earliest): "it lies before \(earliest.iso8601), the earliest possible time"
        case .brokenSection(let problem): "its section cannot be read: \(problem)"
        case .sectionOfNothing: "its section has no splice that playlists announce (--scte35)"
        case .noSplices: "playlists do not announce splices (--scte35 none)"
        case .tooMany: "too much is scheduled already; post it later"
        }
    }
}

extension MediaTime {
    /// The duration in whole hours or minutes.
    fileprivate var phrase: String {
        let minutes = Int(seconds) / 60
        return minutes == 60 ? "an hour" : minutes.isMultiple(of: 60) ? "\(minutes / 60) hours" : "\(minutes) minutes"
    }
}
