package import Foundation

/// The places of files in this checkout.
package enum Repository {
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The program under test: built along with the tests, unless the environment names another one (`TEST_PACKAGER`).
    package static let packager = ProcessInfo.processInfo.environment["TEST_PACKAGER"] ?? built("packager")

    /// The path of a product that was built along with the tests, beside which it lies.
    package static func built(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }

    package static let samples = root.appending(path: "Samples").path

    /// 8 s of H.264 and two AAC tracks that loop without a seam.
    package static let feed = root.appending(path: "Samples/feed.ts").path

    /// The same pictures and audio, 320x180.
    package static let smallFeed = root.appending(path: "Samples/feed-180p.ts").path

    /// The slate that is shown while there is no feed, 640x360.
    package static let slate = root.appending(path: "Samples/slate.ts").path

    /// The interpreter of the environment that `make test` sets up.
    package static let python = root.appending(path: ".venv/bin/python").path

    /// A script that tests run, by its path below `Tests`.
    package static func script(_ path: String) -> String { root.appending(path: "Tests/\(path)").path }
}
