import MediaCore
package import NIOCore
import Synchronization

/// A file of a page for browsers, compiled into the program.
///
/// Its contents are made at the first request: a job, and most listeners, never need them.
package final class PageFile: Sendable {
    package let contentType: String
    private let text: @Sendable () -> String
    private let made = Mutex<(body: ByteBuffer, entityTag: String)?>(nil)

    /// HTML § 4.12.1: a module is refused under any type but JavaScript's.
    private static let contentTypes = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "svg": "image/svg+xml",
    ]

    /// - Parameters:
    ///   - name: Its name, whose suffix gives the type.
    ///   - text: The contents; evaluated once at most.
    package init(_ name: String, _ text: @autoclosure @escaping @Sendable () -> String) {
        let suffix = name.split(separator: ".").last.map(String.init) ?? ""
        contentType = Self.contentTypes[suffix] ?? "application/octet-stream"
        self.text = text
    }

    package var body: ByteBuffer { contents.body }
    package var entityTag: String { contents.entityTag }

    private var contents: (body: ByteBuffer, entityTag: String) {
        made.withLock { made in
            if let made { return made }
            let body = ByteBuffer(string: text())
            let contents = (body, "\"\(ContentHash(of: body))\"")
            made = contents
            return contents
        }
    }

    /// Returns the files of a page, with those of all pages: colours, controls and an icon.
    ///
    /// - Parameter texts: The contents of the files, by their names.
    /// - Returns: The files without the page itself, by their names.
    package static func files(_ texts: [String: String]) -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        for (name, text) in EmbeddedFiles.texts { files[name] = PageFile(name, text) }
        for (name, text) in texts where name != Self.index { files[name] = PageFile(name, text) }
        return files
    }

    /// Returns the page itself.
    ///
    /// - Parameter texts: The contents of its files, by their names.
    /// - Returns: The page; an empty one if it is missing.
    package static func page(_ texts: [String: String]) -> PageFile { PageFile(index, texts[index] ?? "") }

    private static let index = "index.html"
}
