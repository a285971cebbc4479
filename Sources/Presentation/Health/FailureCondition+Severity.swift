import MediaCore

extension FailureCondition {
    /// How much of the stream it takes from viewers, in comparison with the others.
    var severity: Int {
        switch self {
        case .slate: 1
        case .incomplete: 2
        case .stale: 3
        case .noKey: 4
        }
    }
}
