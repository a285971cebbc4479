import MediaCore
import Synchronization

/// Passes a reader's events to a channel, and later to the channel that replaces it, so that an encoder stays
/// connected.
///
/// Events that arrive while channels change are kept, and the next channel begins with them.
final class InputRelay: InputConsumer {
    /// An event of an input.
    private enum Event {
        case opened([InputTrack], modulus: Int64?)
        case packet(PacketInfo, [UInt8])
        case metadata(PacketInfo, program: Int?, [UInt8])
        case splice([UInt8], program: Int?, shift: Int64)
        case lost(reason: String)
        case notice(InputNotice)
    }

    /// The state that a consumer needs first if it begins in the middle.
    private struct Beginning {
        var opened: (tracks: [InputTrack], modulus: Int64?)?
        /// The notices that hold until the input is lost.
        var notices: [InputNotice] = []

        mutating func note(_ event: Event) {
            switch event {
            case .opened(let tracks, let modulus): opened = (tracks, modulus)
            case .notice(let notice) where notice.isLasting:
                notices.removeAll { $0.isReplaced(by: notice) }
                notices.append(notice)
            case .lost: self = Beginning()
            case .packet, .metadata, .splice, .notice: break
            }
        }
    }

    private struct State {
        var now = Beginning()
        /// The events kept for the next channel; nil if none are.
        var kept: Kept?
    }

    private struct Kept {
        /// The state before the events.
        var beginning: Beginning
        var events: [(event: Event, byteCount: Int)] = []
        var byteCount = 0

        mutating func append(_ event: Event, _ count: Int) {
            events.append((event, count))
            byteCount += count
            if byteCount <= InputRelay.mostBytes { return }
            for (event, count) in events.prefix(events.count / 2) {
                beginning.note(event)
                byteCount -= count
            }
            events.removeFirst(events.count / 2)
        }
    }

    /// The state under a lock that is held while an event is passed on, so that all arrive in order.
    ///
    /// Notices of other threads do not wait for it.
    private let state = Mutex(State())
    private let consumer: Mutex<(any InputConsumer)?>

    /// A quarter of a minute at 25 Mbit/s; beyond it the older half goes.
    private static let mostBytes = 48 << 20

    init(_ consumer: any InputConsumer) {
        self.consumer = Mutex(consumer)
    }

    private var current: (any InputConsumer)? { consumer.withLock { $0 } }

    /// Keeps later events for the next consumer.
    func keep() { state.withLock { $0.kept = Kept(beginning: $0.now) } }

    /// Passes nothing on until there is another consumer.
    func detach() { state.withLock { _ in consumer.withLock { $0 = nil } } }

    /// Passes kept events to another consumer, and then later ones.
    func move(to next: any InputConsumer) {
        state.withLock { state in
            let kept = state.kept
            state.kept = nil
            let beginning = kept?.beginning ?? state.now
            if let opened = beginning.opened {
                next.inputOpened(tracks: opened.tracks, timestampModulus: opened.modulus)
            }
            for notice in beginning.notices { next.inputNoticed(notice) }
            for (event, _) in kept?.events ?? [] { Self.pass(event, to: next) }
            consumer.withLock { $0 = next }
        }
    }

    private static func pass(_ event: Event, to consumer: any InputConsumer) {
        switch event {
        case .opened(let tracks, let modulus): consumer.inputOpened(tracks: tracks, timestampModulus: modulus)
        case .packet(let info, let bytes): consumer.inputReceived(info, payload: unsafe bytes.span.bytes)
        case .metadata(let info, let program, let bytes):
            consumer.inputReceivedMetadata(info, program: program, payload: unsafe bytes.span.bytes)
        case .splice(let bytes, let program, let shift):
            consumer.inputReceivedSplice(unsafe bytes.span.bytes, program: program, shift: shift)
        case .lost(let reason): consumer.inputLost(reason: reason)
        case .notice(let notice): consumer.inputNoticed(notice)
        }
    }

    /// - Parameters:
    ///   - byteCount: The bytes that it takes to keep it.
    ///   - event: Made only if it is kept.
    ///   - pass: Passes it on.
    private func relay(_ byteCount: Int, _ event: () -> Event, _ pass: (any InputConsumer) -> Void) {
        state.withLock { state in
            if state.kept != nil { state.kept?.append(event(), byteCount) }
            if let current { pass(current) }
        }
    }

    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        note(.opened(tracks, modulus: timestampModulus))
    }

    func inputLost(reason: String) { note(.lost(reason: reason)) }

    private func note(_ event: Event) {
        state.withLock { $0.now.note(event) }
        relay(0, { event }) { Self.pass(event, to: $0) }
    }

    func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        relay(payload.byteCount, { .packet(packet, payload.array) }) { $0.inputReceived(packet, payload: payload) }
    }

    func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        relay(payload.byteCount, { .metadata(packet, program: program, payload.array) }) {
            $0.inputReceivedMetadata(packet, program: program, payload: payload)
        }
    }

    func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {
        relay(section.byteCount, { .splice(section.array, program: program, shift: shift) }) {
            $0.inputReceivedSplice(section, program: program, shift: shift)
        }
    }

    func inputNoticed(_ notice: InputNotice) {
        if notice.isLasting { note(.notice(notice)) } else { current?.inputNoticed(notice) }
    }

    func inputExamined(_ finding: ContentFinding) { current?.inputExamined(finding) }

    /// Feeds with an end are not relayed.
    func inputEnded() { current?.inputEnded() }
}

extension InputNotice {
    /// True if it describes a lasting state of the input, and not a moment.
    fileprivate var isLasting: Bool {
        switch self {
        case .programs, .metadata, .unregisteredSplices: true
        case .unreadableSplice, .textNotRead, .teletextUnreadable, .teletextReadable, .notTranscoded,
            .undecodableFrame, .notExamined, .publisherRefused, .publisherCutOff, .publishersCrowded,
            .datagramsLost, .senderChanged, .severalSenders, .library:
            false
        }
    }

    /// Returns true if a later notice says the same of the same, or says it anew.
    fileprivate func isReplaced(by later: InputNotice) -> Bool {
        switch (self, later) {
        case (.programs, .programs): true
        case (.unregisteredSplices(let program, _), .unregisteredSplices(let other, _)): program == other
        default: self == later
        }
    }
}
