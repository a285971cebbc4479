import MediaCore
package import NIOCore
import Synchronization

/// The text of a playlist: its content is settled, and each form of it is made once, when it is first asked for.
///
/// Looking at a form that is made takes no lock.
package final class PlaylistText: Sendable {
    /// The form in which it is sent.
    package enum Form: Hashable, Sendable {
        case plain
        /// The text as gzip (RFC 1952): another representation, so another entity tag (RFC 9110 § 8.8.3.3).
        case gzip
    }

    /// The text in one form.
    package final class Representation: Sendable {
        package let body: ByteBuffer
        /// The entity tag, with its quotes.
        package let entityTag: String
        /// The head that it is sent with.
        package let head = ServedHead.Place()

        fileprivate init(_ body: ByteBuffer, entityTag: String) {
            (self.body, self.entityTag) = (body, entityTag)
        }
    }

    private final class Compressed: Sendable {
        let representation: Representation?

        init(_ representation: Representation?) {
            self.representation = representation
        }
    }

    private struct Work {
        var queued: Set<Form> = []
        var waiting: [(form: Form, call: @Sendable () -> Void)] = []
    }

    private final class Content: Sendable {
        let text: CompressedText

        init(_ text: CompressedText) {
            self.text = text
        }
    }

    /// Renders the content, from a state of the presentation: kept until it is rendered, and no longer.
    private let render: Mutex<(@Sendable () -> CompressedText)?>
    private let content = Once<Content>()
    /// The demand for the playlist, kept from text to text.
    let demand: PlaylistDemand
    private let executor: TextExecutor
    private let made = Once<Representation>()
    private let compressed = Once<Compressed>()
    private let work = Mutex(Work())

    /// - Parameters:
    ///   - demand: The demand for the playlist, with the requests for the texts before.
    ///   - executor: Makes the forms that are asked for.
    ///   - render: Renders the content, when a form of it is first made.
    init(
        demand: PlaylistDemand,
        executor: TextExecutor = .shared,
        rendering render: @escaping @Sendable () -> CompressedText
    ) {
        (self.demand, self.executor) = (demand, executor)
        self.render = Mutex(render)
    }

    /// Makes one whose content is known, with the requests for the texts before.
    convenience init(
        _ text: CompressedText,
        demand: PlaylistDemand = PlaylistDemand(),
        executor: TextExecutor = .shared
    ) {
        self.init(demand: demand, executor: executor) { text }
    }

    /// A playlist that is not one of a presentation's own.
    package convenience init(text: String) {
        var pieces = CompressedText()
        pieces.append(text)
        self.init(pieces)
    }

    /// The content; rendering it takes time.
    var text: CompressedText {
        if let content = content.load() { return content.text }
        guard let render = self.render.withLock({ $0 }) else {
            // Another thread has put it there since.
            return content.load()?.text ?? CompressedText()
        }
        // Two threads may render it at the same time: neither waits for the other, and the text is identical.
        let text = content.storeIfNil(Content(render())).text
        self.render.withLock { $0 = nil }
        return text
    }

    /// The length of the plain text in bytes, made or not.
    var byteCount: Int { text.byteCount }

    /// The text without compression; making it takes time.
    package var plain: Representation {
        if let made = made.load() { return made }
        let body = text.body
        return made.storeIfNil(Representation(body, entityTag: ContentHash.whole(of: body).entityTag))
    }

    /// The compressed text; nil if compression gains nothing.
    ///
    /// Making it takes time.
    package var gzip: Representation? {
        if let compressed = compressed.load() { return compressed.representation }
        let plain = plain
        let gzip = text.gzip.flatMap { $0.readableBytes < plain.body.readableBytes ? $0 : nil }
        let representation = gzip.map { Representation($0, entityTag: "\(plain.entityTag.dropLast())-gzip\"") }
        return compressed.storeIfNil(Compressed(representation)).representation
    }

    /// True if a form can be had without making it.
    package func isMade(_ form: Form) -> Bool {
        switch form {
        case .plain: made.load() != nil
        case .gzip: compressed.load() != nil
        }
    }

    /// Notes that a viewer asks for a form.
    ///
    /// - Returns: True if it is made.
    package func asked(for form: Form) -> Bool {
        demand.asked(for: form)
        if isMade(form) { return true }
        make(form)
        return isMade(form)
    }

    /// Queues the making of a form, unless it is queued already.
    func make(_ form: Form) {
        guard work.withLock({ $0.queued.insert(form).inserted }) else { return resumeWaiters() }
        executor.execute { [self] in
            switch form {
            case .plain: _ = plain
            case .gzip: _ = gzip
            }
            resumeWaiters()
        }
    }

    /// Returns once a form is made, without blocking a thread.
    package func waitUntilMade(_ form: Form) async {
        await withCheckedContinuation { continuation in
            work.withLock { $0.waiting.append((form, { continuation.resume() })) }
            make(form)
        }
    }

    private func resumeWaiters() {
        let made = ([.plain, .gzip] as [Form]).filter(isMade)
        let due = work.withLock { work in
            defer { work.waiting.removeAll { made.contains($0.form) } }
            return work.waiting.filter { made.contains($0.form) }
        }
        for waiter in due { waiter.call() }
    }
}
