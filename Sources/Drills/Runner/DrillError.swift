/// What keeps a drill from taking place, or from going on.
enum DrillError: Error, Hashable, CustomStringConvertible {
    /// Something that it needs is missing on this machine: it is skipped, not failed.
    case impossibleHere(String)
    /// A packager does not start, with what it wrote last.
    case noStart(packager: String, output: String)
    /// What the drill is told to do cannot be done.
    case failed(String)

    var description: String {
        switch self {
        case .impossibleHere(let reason), .failed(let reason): reason
        case .noStart(let packager, let output): "\(packager) does not start: \(output)"
        }
    }
}
