/// The reason why a drill does not take place, or does not continue.
enum DrillError: Error, Hashable, CustomStringConvertible {
    /// A prerequisite is missing on this machine: the drill is skipped, not failed.
    case impossibleHere(String)
    /// A packager does not start; the last output says why.
    case noStart(packager: String, output: String)
    /// A step of the drill cannot be carried out.
    case failed(String)

    var description: String {
        switch self {
        case .impossibleHere(let reason), .failed(let reason): reason
        case .noStart(let packager, let output): "\(packager) does not start: \(output)"
        }
    }
}
