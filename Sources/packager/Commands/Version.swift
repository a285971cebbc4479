import ContentProtection
import Ingest

/// The version of this program, and the sources that it was built from.
enum Version {
    /// The newest release in CHANGELOG.md.
    ///
    /// The Makefile reads it here for the name of the package.
    static let number = "0.3.0"

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
