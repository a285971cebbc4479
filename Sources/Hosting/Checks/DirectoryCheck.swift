import Foundation

/// Checks if files can be made in a directory, which would be made if it is missing.
struct DirectoryCheck {
    /// The path in the configuration.
    let path: String
    /// The directory, or the nearest existing one above it.
    let place: String
    private let isDirectory: Bool

    init(_ path: String) {
        self.path = path
        var place = URL(filePath: path).standardizedFileURL
        var isDirectory: ObjCBool = false
        while !FileManager.default.fileExists(atPath: place.path, isDirectory: &isDirectory), place.path != "/" {
            place.deleteLastPathComponent()
        }
        (self.place, self.isDirectory) = (place.path, isDirectory.boolValue)
    }

    /// The reason why files cannot be made there; nil if they can.
    var obstacle: String? {
        if !isDirectory { return "\(path): \(place) is not a directory" }
        if !FileManager.default.isWritableFile(atPath: place) || isOfKernel {
            return "\(path): nothing can be written to \(place)"
        }
        return nil
    }

    /// True if it is a directory of the kernel's own, which refuses more than the rights of root say.
    private var isOfKernel: Bool {
        ["/proc", "/sys"].contains { place == $0 || place.hasPrefix($0 + "/") }
    }
}
