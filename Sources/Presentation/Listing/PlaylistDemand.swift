import Synchronization

/// The demand for a playlist in each of its forms: what viewers have asked for lately is made for them in advance.
final class PlaylistDemand: Sendable {
    /// Texts that a playlist has had since it was asked for last, no more than ``patience``.
    private let unaskedPlain = Atomic(patience)
    private let unaskedGzip = Atomic(patience)

    /// Texts that are made in advance, though nobody asked for those before them: players do not load every one.
    static let patience = 8

    /// Takes note that a form was asked for.
    func asked(for form: PlaylistText.Form) {
        switch form {
        case .plain: Self.reset(unaskedPlain)
        case .gzip: Self.reset(unaskedGzip)
        }
    }

    /// Takes note of a new text.
    ///
    /// - Returns: The forms of it that are wanted in advance.
    func advance() -> [PlaylistText.Form] {
        var wanted: [PlaylistText.Form] = []
        if Self.advance(unaskedPlain) { wanted.append(.plain) }
        if Self.advance(unaskedGzip) { wanted.append(.gzip) }
        return wanted
    }

    /// Every request passes through here: what is shared by all threads is written once a text.
    private static func reset(_ count: borrowing Atomic<Int>) {
        if count.load(ordering: .relaxed) != 0 { count.store(0, ordering: .relaxed) }
    }

    private static func advance(_ count: borrowing Atomic<Int>) -> Bool {
        let unasked = count.load(ordering: .relaxed)
        if unasked < patience { count.store(unasked + 1, ordering: .relaxed) }
        return unasked < patience
    }
}
