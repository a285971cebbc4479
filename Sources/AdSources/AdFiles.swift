package import Files
package import NIOCore

/// The files of advertisements, for players to fetch.
package struct AdFiles: Sendable {
    private let path: String
    private let files: any FileSystem

    package init(_ path: String, files: any FileSystem = LocalFileSystem.published) {
        (self.path, self.files) = (path, files)
    }

    /// Returns true if it may be a file's or a directory's name: nothing is hidden, and nothing leads elsewhere.
    static func isName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && !name.hasPrefix(".")
            && name.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
            }
    }

    /// The length of a file in bytes; nil if there is none.
    ///
    /// It waits for the disk.
    package func byteCount(of name: Substring) throws(FileError) -> Int? {
        guard name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(Self.isName) else { return nil }
        return try files.byteCount(of: "\(path)/\(name)")
    }

    /// Exactly these bytes; it waits for the disk.
    package func read(_ name: Substring, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try files.read("\(path)/\(name)", range)
    }

    /// The media type of a file, by its name.
    package static func contentType(of name: Substring) -> String {
        switch name.split(separator: ".").last {
        case "m3u8": "application/vnd.apple.mpegurl"
        case "mp4", "m4s", "m4v", "cmfv": "video/mp4"
        case "m4a", "cmfa": "audio/mp4"
        case "ts": "video/mp2t"
        case "aac": "audio/aac"
        case "mp3": "audio/mpeg"
        case "vtt": "text/vtt; charset=utf-8"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }
}
