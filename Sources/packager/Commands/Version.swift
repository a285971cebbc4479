import ContentProtection
import Ingest

/// What this program is, and what it was built from.
enum Version {
    static let number = "0.2.0"

    /// Of the program alone.
    static let line = "\(number), from \(BuildInformation.commit)"

    /// Of the program first, then of what it is built with and what it has found here.
    static var text: String {
        """
        packager \(line)
        Swift \(compiler), libavformat \(FFmpegLibraries.format), libavcodec \(FFmpegLibraries.codec), \(OpenSSLLibrary.version)
        """
    }

    private static var compiler: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}
