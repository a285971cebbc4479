import Synchronization

/// The demand for a playlist in each of its forms: forms that viewers have asked for lately are made in advance.
final class PlaylistDemand: Sendable {
    /// The plain texts that the playlist has had since a viewer last asked for one, no more than ``patience``.
    private let unaskedPlain = Atomic(patience)
    private let unaskedGzip = Atomic(patience)

    /// The texts that are made in advance although those before them were not requested: players do not load every one.
    static let patience = 8

    /// Notes that a viewer asked for a form.
    func asked(for form: PlaylistText.Form) {
        switch form {
        case .plain: Self.reset(unaskedPlain)
        case .gzip: Self.reset(unaskedGzip)
        }
    }

    /// Notes a new text.
    ///
    /// - Returns: The forms of it that are wanted in advance.
    func advance() -> [PlaylistText.Form] {
        var wanted: [PlaylistText.Form] = []
        if Self.advance(unaskedPlain) { wanted.append(.plain) }
        if Self.advance(unaskedGzip) { wanted.append(.gzip) }
        return wanted
    }

    /// Resets a count; it runs at every request, so memory shared by all threads is written only once a text.
    private static func reset(_ count: borrowing Atomic<Int>) {
        if count.load(ordering: .relaxed) != 0 { count.store(0, ordering: .relaxed) }
    }

    private static func advance(_ count: borrowing Atomic<Int>) -> Bool {
        let unasked = count.load(ordering: .relaxed)
        if unasked < patience { count.store(unasked + 1, ordering: .relaxed) }
        return unasked < patience
    }
}
