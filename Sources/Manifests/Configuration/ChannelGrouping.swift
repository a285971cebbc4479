/// The distribution of channels over groups, each of which a pair of pods carries.
///
/// A channel stays in its group: in another one it would begin anew, in other pods.
package struct ChannelGrouping: Hashable, Sendable {
    /// The names of channels by the number of their group, from 1 on, each in the order of the file.
    package private(set) var groups: [Int: [String]] = [:]

    package init() {}

    /// Fills groups.
    ///
    /// - Parameters:
    ///   - names: The channels in the order of the file.
    ///   - size: The number of channels that a group has at most.
    ///   - before: The groups so far; one that has more stays as it is.
    init(_ names: [String], size: Int, keeping before: ChannelGrouping = ChannelGrouping()) {
        var places: [String: Int] = [:]
        for (number, channels) in before.groups { for channel in channels { places[channel] = number } }
        var counts: [Int: Int] = [:]
        for name in names { if let number = places[name] { counts[number, default: 0] += 1 } }
        var next = 1
        for name in names where places[name] == nil {
            while counts[next, default: 0] >= size { next += 1 }
            places[name] = next
            counts[next, default: 0] += 1
        }
        for name in names { if let number = places[name] { groups[number, default: []].append(name) } }
    }

    /// Takes groups as they were noted.
    init(noted groups: [Int: [String]]) {
        self.groups = groups
    }
}
