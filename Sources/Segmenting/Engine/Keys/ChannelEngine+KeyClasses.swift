import ContentProtection
import Logging
import MediaCore
import Operations

/// Classes of keys, and the number of keys that a viewer needs.
extension ChannelEngine {
    /// The number of keys that most devices decrypt with at a time.
    private static let keysOfADevice = 6

    /// The known key classes of all renditions.
    var keyClassesInUse: Set<KeyClass> {
        Set(renditions.lazy.filter { !$0.plan.isOnlyCarried }.compactMap(\.keyClass))
    }

    /// Returns the key class of a segment of a place, or, for a gap, of the media before.
    func keyClass(of place: TrackIndex, _ cut: CutSegment) -> KeyClass? {
        configuration.keyClasses.keyClass(of: renditions[place].plan.kind, cut.configuration)
            ?? renditions[place].keyClass
    }

    /// Reports, once for each new class, that viewers need more keys at a time than their devices may hold.
    ///
    /// A player that changes variants needs the keys of all classes, for this crypto period and the next.
    mutating func noteKeyBudget() {
        guard let periods = keys.periods else { return }
        let classes = keyClassesInUse
        let count = classes.count * (periods.slotsPerPeriod == nil ? 1 : 2)
        guard count > Self.keysOfADevice, classes.count > keys.classesOverBudget else { return }
        keys.classesOverBudget = classes.count
        let names = KeyClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ", ")
        let problem =
            "A player that changes between all variants needs \(count) keys at a time (\(names); each of this crypto period "
            + "and of the next), and many devices hold no more than \(Self.keysOfADevice): name fewer key-classes"
        note(.keys, "\(problem).")
        let metadata: Logger.Metadata = [
            "problem": "\(problem)", "viewers": "players may stall when they change the variant",
            "do": "name fewer key-classes",
        ]
        log(.warning, "players need many keys", metadata)
    }
}
