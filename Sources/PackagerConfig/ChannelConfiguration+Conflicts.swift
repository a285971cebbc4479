import MediaCore

/// Checks that no two channels of a process use the same thing.
extension ChannelConfiguration {
    /// Returns the reasons why this channel cannot run beside others.
    ///
    /// - Parameter others: The existing channels.
    /// - Returns: One phrase for each thing that another channel has already, except its name.
    package func conflicts(with others: [ChannelConfiguration]) -> [String] {
        var conflicts: [String] = []
        if let output, let other = others.first(where: { $0.output.map(Self.normalized) == Self.normalized(output) }) {
            conflicts.append(Self.takenOutput(output, by: "channel \(other.name)"))
        }
        let places = Set(others.flatMap(\.push).map(\.place))
        for destination in push where places.contains(destination.place) {
            conflicts.append(Self.takenDestination(destination.url, by: "another channel"))
        }
        if readsStandardInput, others.contains(where: \.readsStandardInput) {
            conflicts.append(Self.takenStandardInput)
        }
        return conflicts
    }

    /// The endings of the places of a channel that is made for each of several programs; none for one channel.
    var partSuffixes: [String] { programs.count > 1 ? programs.map(Self.suffix) : [] }

    /// Returns the ending of the places of the channel of one program among several.
    static func suffix(of program: Int) -> String { "/\(program)" }

    private var readsStandardInput: Bool { (inputs + backups).contains(where: \.isStandardInput) }

    static func takenOutput(_ path: String, by other: some CustomStringConvertible) -> String {
        "another channel writes to '\(path)' too (\(other)); each needs its own"
    }

    static func takenDestination(_ url: String, by other: some CustomStringConvertible) -> String {
        "another destination is '\(SecretMask.masked(url))' too (\(other)); each needs its own"
    }

    static let takenStandardInput = "standard input can be read only once"

    /// The canonical text of a path: `./a//b/` is `a/b`.
    static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
