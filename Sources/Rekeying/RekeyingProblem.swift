/// A phrase for a ``RekeyingError``, thrown where the file is not known.
struct RekeyingProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
