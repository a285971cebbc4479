import CFFmpeg
import Glibc
package import MediaCore
import Synchronization

/// Takes the log lines that FFmpeg's libraries and libsrt would write to standard error.
///
/// These lines contain the URLs of feeds with their secrets, so `takeAll()` must be called before the libraries are
/// used.
///
/// Lines of a thread that reads a feed go to that feed's consumer. Lines of other threads, such as those of libsrt,
/// belong to no feed and go to the sink that was set.
package enum LibraryLog {
    package typealias Sink = @Sendable (LibraryLine) -> Void

    private static let sink = Mutex<Sink?>(nil)

    /// The key of the consumer that this thread reads for, an unmanaged `Listener`.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    private final class Listener {
        let consumer: any InputConsumer
        let secrets: [String]

        init(_ consumer: any InputConsumer, _ secrets: [String]) {
            (self.consumer, self.secrets) = (consumer, secrets)
        }
    }

    /// Takes lines from now on.
    ///
    /// - Parameter sink: Called with lines that belong to no feed; on any thread.
    package static func listen(_ sink: @escaping Sink) {
        self.sink.withLock { $0 = sink }
        takeAll()
    }

    /// Stops all libraries from writing themselves; lines that belong to no feed are dropped without a sink.
    static func takeAll() {
        captureFFmpegLog
        captureSRTLog
        beginGcrypt
    }

    /// Runs a thread's work, and passes the lines that libraries write meanwhile to the consumer.
    ///
    /// - Parameters:
    ///   - consumer: The consumer of the feed that the thread reads.
    ///   - feed: The feed, of whose URL secrets are left out.
    ///   - body: The work of the thread.
    static func forwarding(_ consumer: any InputConsumer, of feed: FeedLocation, _ body: () -> Void) {
        let listener = Listener(consumer, feed.secrets)
        withExtendedLifetime(listener) {
            unsafe pthread_setspecific(key, Unmanaged.passUnretained(listener).toOpaque())
            defer { pthread_setspecific(key, nil) }
            body()
        }
    }

    private static func forward(_ line: LibraryLine) {
        var line = line
        // A line may be of a feed that no thread reads yet, and may be cut within a secret.
        let words = line.text.split(separator: " ", omittingEmptySubsequences: false)
        line.text = words.map { $0.contains("://") ? SecretMask.masked(String($0)) : String($0) }.joined(separator: " ")
        if let listener = unsafe pthread_getspecific(key) {
            unsafe Unmanaged<Listener>.fromOpaque(listener)._withUnsafeGuaranteedRef {
                for secret in $0.secrets { line.text = line.text.replacing(secret, with: SecretMask.mark) }
                $0.consumer.inputNoticed(.library(line))
            }
        } else {
            sink.withLock { $0 }?(line)
        }
    }

    // MARK: FFmpeg

    /// Lines are taken as a whole: FFmpeg writes some in pieces, and only the last piece ends with a line break.
    private static let longestLine = 512

    private static let captureFFmpegLog: Void = {
        unsafe av_log_set_callback { context, level, format, arguments in
            // The libraries call this for lines of all levels, from within decoders.
            guard level <= AV_LOG_WARNING, level >= 0 else { return }
            unsafe LibraryLog.take(context, level, format, arguments)
        }
    }()

    private static func take(
        _ context: UnsafeMutableRawPointer?,
        _ level: CInt,
        _ format: UnsafePointer<CChar>?,
        _ arguments: CVaListPointer?
    ) {
        guard let arguments = unsafe arguments else { return }
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: longestLine) { text in
            // With the prefix it would name addresses of memory; the class's name says as much.
            var hasPrefix: CInt = 0
            let count = unsafe av_log_format_line2(
                context,
                level,
                format,
                arguments,
                text.baseAddress,
                CInt(text.count),
                &hasPrefix
            )
            guard count > 0, let start = text.baseAddress else { return }
            let line = unsafe String(cString: start).split(whereSeparator: \.isNewline).joined(separator: " ")
            if line.isEmpty { return }
            forward(LibraryLine(level <= AV_LOG_ERROR ? .error : .warning, unsafe name(of: context), line))
        }
    }

    /// The name of the format or codec that writes, or of its class.
    private static func name(of context: UnsafeMutableRawPointer?) -> String {
        guard let context = unsafe context,
            // Every context begins with a pointer to its class (libavutil/log.h).
            let type = unsafe context.load(as: UnsafePointer<AVClass>?.self)
        else { return "ffmpeg" }
        let name = unsafe type.pointee.item_name.flatMap { unsafe $0(context) } ?? type.pointee.class_name
        return unsafe name.map { unsafe String(cString: $0) } ?? "ffmpeg"
    }

    // MARK: libsrt

    /// `SRT_LOG_HANDLER_FN` of srt/logging_api.h, whose levels are those of syslog.
    private typealias SRTHandler =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Void

    /// libavformat does not show the log of libsrt.
    private static let captureSRTLog: Void = {
        guard let setHandler = unsafe dlsym(nil, "srt_setloghandler"),
            let setFlags = unsafe dlsym(nil, "srt_setlogflags")
        else { return }
        typealias SetHandler = @convention(c) (UnsafeMutableRawPointer?, SRTHandler?) -> Void
        typealias SetFlags = @convention(c) (CInt) -> Void
        // This program does not link to libsrt, so these types repeat its headers. Time, thread name,
        // severity and line break are left out, because they are not part of the message.
        unsafe unsafeBitCast(setFlags, to: SetFlags.self)(1 | 2 | 4 | 8)
        unsafe unsafeBitCast(setHandler, to: SetHandler.self)(nil) { _, level, _, _, area, message in
            guard level <= LOG_WARNING, let message = unsafe message else { return }
            let area = unsafe area.map { unsafe String(cString: $0) } ?? ""
            let text = unsafe LibraryLog.text(String(cString: message), of: area)
            LibraryLog.forward(LibraryLine(level <= LOG_ERR ? .error : .warning, "srt", text))
        }
    }()

    /// Joins a line of libsrt with the name of the function that logs it.
    ///
    /// libsrt writes the colon behind the prefix even if the prefix is off, and some lines name the function
    /// themselves.
    static func text(_ message: String, of area: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = line.hasPrefix(": ") ? String(line.dropFirst(2)) : line
        return area.isEmpty || text.hasPrefix("\(area):") ? text : "\(area): \(text)"
    }

    // MARK: libgcrypt

    /// Asks libgcrypt for its version, which initializes it according to its manual.
    ///
    /// Otherwise the first use writes a warning to the system's log by syslog(3). FFmpeg that is built with it does
    /// not initialize it. libssh, through which Debian's FFmpeg has it, does when it is loaded, and then this does
    /// nothing.
    private static let beginGcrypt: Void = {
        guard let checkVersion = unsafe dlsym(nil, "gcry_check_version") else { return }
        typealias CheckVersion = @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
        // This program does not link to libgcrypt, so this type repeats its header.
        _ = unsafe unsafeBitCast(checkVersion, to: CheckVersion.self)(nil)
    }()
}
