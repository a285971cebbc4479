import CFFmpeg
import Glibc

/// The failure of a call into FFmpeg's libraries.
package struct FFmpegError: Error, Hashable, Sendable {
    /// The library's code: a negated errno, or a negated four-character tag.
    package var code: Int32
    /// The operation that failed, as a verb.
    package var operation: String

    /// The reason in other words than the library's; nil if its own words say enough.
    package var reason: String?

    package init(code: Int32, operation: String, reason: String? = nil) {
        self.code = code
        self.operation = operation
        self.reason = reason
    }

    /// Codes that are handled; any other is only reported.
    static let endOfFile = cffmpeg_error_end_of_file()
    static let exitRequested = cffmpeg_error_exit()
    static let invalidData = cffmpeg_error_invalid_data()
    static let tryAgain = cffmpeg_error_posix(EAGAIN)
    static let connectionRefused = cffmpeg_error_posix(ECONNREFUSED)
    static let outOfMemory = cffmpeg_error_posix(ENOMEM)
    static let addressInUse = cffmpeg_error_posix(EADDRINUSE)
    static let otherMedia = cffmpeg_error_posix(EMEDIUMTYPE)
    static let addressNotAvailable = cffmpeg_error_posix(EADDRNOTAVAIL)

    /// The library's code for an errno.
    static func posix(_ code: Int32) -> Int32 { cffmpeg_error_posix(code) }

    /// Throws where `result` is one of the library's (negative) error codes.
    @discardableResult
    static func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
        guard result >= 0 else { throw FFmpegError(code: result, operation: operation()) }
        return result
    }
}

extension FFmpegError: CustomStringConvertible {
    package var description: String { "\(operation): \(reason ?? message)" }

    /// The library's own words for the code.
    var message: String {
        // av_strerror describes codes it does not know as well; it never leaves the text unterminated.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { text in
            guard let start = text.baseAddress else { return "error \(code)" }
            _ = unsafe av_strerror(code, start, text.count)
            return unsafe String(cString: start)
        }
    }
}
