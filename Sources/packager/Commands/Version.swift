import ContentProtection
import Ingest

/// The version of this program, and the sources that it was built from.
enum Version {
    static let number = "0.2.0"

    /// The version of the program alone.
    static let line = "\(number), from \(BuildInformation.commit)"

    /// The version of the program, and then of its compiler and of the libraries that it has found here.
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
