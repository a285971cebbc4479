import MediaCore

extension FailureCondition {
    /// The share of the stream that the condition takes from viewers, as a rank among the conditions.
    var severity: Int {
        switch self {
        case .slate: 1
        case .incomplete: 2
        case .stale: 3
        case .noKey: 4
        }
    }
}
