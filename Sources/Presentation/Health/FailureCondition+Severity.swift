import MediaCore

extension FailureCondition {
    /// The share of the stream that viewers lose by the condition; higher is worse.
    var severity: Int {
        switch self {
        case .slate: 1
        case .incomplete: 2
        case .stale: 3
        case .noKey: 4
        }
    }
}
