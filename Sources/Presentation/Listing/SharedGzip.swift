import NIOCore

/// The compressed form of lines that many playlists have: made when it is first wanted, and kept for all of them.
final class SharedGzip: Sendable {
    private final class Outcome: Sendable {
        let part: GzipPart?

        init(_ part: GzipPart?) {
            self.part = part
        }
    }

    private let text: String
    private let outcome = Once<Outcome>()

    init(_ text: String) {
        self.text = text
    }

    /// The compressed lines, made at the first call, which takes time; nil if the compressor failed.
    var part: GzipPart? {
        if let outcome = outcome.load() { return outcome.part }
        return outcome.storeIfNil(Outcome(GzipPart(ByteBuffer(string: text)))).part
    }
}
