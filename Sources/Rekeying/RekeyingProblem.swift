/// A phrase for a ``RekeyingError``, where it is not known which file is meant.
struct RekeyingProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
