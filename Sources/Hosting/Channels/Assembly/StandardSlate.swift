import Foundation

/// The slate that comes with the program, wherever it is started.
enum StandardSlate {
    /// The path beside an installed program, or in the working copy that the program was built in; nil if there is no slate.
    static let path: String? = {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let directory = URL(filePath: program).deletingLastPathComponent()
        var candidates = [directory.appending(path: "../share/packager/slate.ts").standardizedFileURL.path]
        var place = directory
        while place.path != "/" {
            candidates.append(place.appending(path: "Samples/slate.ts").path)
            place.deleteLastPathComponent()
        }
        return candidates.first { FileManager.default.isReadableFile(atPath: $0) }
    }()
}
