import CFFmpeg
import MediaCore

/// Ends the work of libavformat on a feed: when its reader is to stop, and when the feed exceeds a ``Limit``.
///
/// Libavformat asks before it reads. Only the thread of the reader uses it, until ``closed()``.
@safe
final class FormatWatch {
    /// A limit beyond what real feeds need, which libavformat does not have.
    enum Limit: Hashable {
        /// The programs of a transport stream: libavformat keeps all that were ever listed, and searches them for each
        /// program of each table.
        case programs
        /// The time for opening a feed that a server sends when asked.
        case openingTime
        /// The addresses that are opened before the first packet: playlists may name themselves.
        case addresses
        /// The bytes of a playlist, or of text, at the feed's address: all of it is read first.
        case playlist

        static let mostPrograms = 512
        static let longestOpening = Duration.seconds(30)
        static let mostAddresses = 512
        static let longestPlaylist = 16_000_000
    }

    private typealias Opening =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    private let signal: StopSignal
    /// The context that is read; nil before and after.
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var isOpening = true
    /// The time until which it must be open; nil if it may wait for its encoder.
    private var deadline: ContinuousClock.Instant?
    private var addressCount = 0
    private var openAddress: Opening?
    /// The limit that the feed has exceeded; nil for none.
    private(set) var exceeded: Limit?

    /// - Parameters:
    ///   - signal: Ends the reading.
    ///   - waitsForEncoder: True if the feed may be opened at any time, when its encoder sends.
    init(_ signal: StopSignal, waitsForEncoder: Bool) {
        self.signal = signal
        deadline = waitsForEncoder ? nil : .now + Limit.longestOpening
    }

    /// Watches a context that is about to be opened.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        unsafe self.format = unsafe format
        unsafe format.pointee.interrupt_callback = unsafe interruptCallback
        unsafe openAddress = unsafe format.pointee.io_open
        unsafe format.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe format.pointee.io_open = { format, stream, url, flags, options in
            guard let opaque = unsafe format?.pointee.opaque else { return FFmpegError.exitRequested }
            let watch = unsafe Unmanaged<FormatWatch>.fromOpaque(opaque).takeUnretainedValue()
            watch.addressCount += 1
            guard !watch.isOver, let open = unsafe watch.openAddress else { return FFmpegError.exitRequested }
            return unsafe open(format, stream, url, flags, options)
        }
    }

    /// Notes that the context is open.
    func opened() { (isOpening, deadline) = (false, nil) }

    /// Notes that the context is freed, or about to be.
    func closed() { unsafe format = nil }

    /// True if libavformat must not read on.
    var isOver: Bool {
        if signal.isRaised { return true }
        exceeded = exceeded ?? excess
        return exceeded != nil
    }

    private var excess: Limit? {
        guard let format = unsafe format else { return nil }
        if unsafe format.pointee.nb_programs > Limit.mostPrograms { return .programs }
        guard isOpening else { return nil }
        if let deadline, .now > deadline { return .openingTime }
        if addressCount > Limit.mostAddresses { return .addresses }
        guard let input = unsafe format.pointee.iformat, let stream = unsafe format.pointee.pb else { return nil }
        let name = unsafe String(cString: input.pointee.name)
        let isPlaylist = ["hls", "dash", "webvtt"].contains(name)
        return unsafe isPlaylist && stream.pointee.pos > Limit.longestPlaylist ? .playlist : nil
    }

    /// The callback that libavformat calls before it reads, and about every 100 ms while it waits.
    ///
    /// The watch must outlive its holder.
    var interruptCallback: AVIOInterruptCB {
        unsafe AVIOInterruptCB(
            callback: { opaque in
                guard let opaque = unsafe opaque else { return 0 }
                return unsafe Unmanaged<FormatWatch>.fromOpaque(opaque)._withUnsafeGuaranteedRef { $0.isOver } ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque()
        )
    }
}

extension FormatWatch.Limit {
    /// The error that operators see.
    var error: FFmpegError {
        let reason =
            switch self {
            case .programs: "it lists more than \(Self.mostPrograms) programs"
            case .openingTime: "no track was found within \(Self.longestOpening.components.seconds) s"
            case .addresses: "it names more than \(Self.mostAddresses) addresses to begin with"
            case .playlist: "its playlist is longer than \(Self.longestPlaylist / 1_000_000) MB"
            }
        return FFmpegError(code: FFmpegError.exitRequested, operation: "read", reason: reason)
    }
}
