import MediaCore
package import NIOCore

/// A file of a page for browsers, compiled into the program.
package struct PageFile: Sendable {
    package var contentType: String
    package var body: ByteBuffer
    package var entityTag: String

    private init(_ contentType: String, _ bytes: [UInt8]) {
        self.contentType = contentType
        body = ByteBuffer(bytes: bytes)
        entityTag = "\"\(ContentHash(of: body))\""
    }

    package static func html(_ bytes: [UInt8]) -> PageFile { PageFile("text/html; charset=utf-8", bytes) }

    package static func style(_ bytes: [UInt8]) -> PageFile { PageFile("text/css; charset=utf-8", bytes) }

    package static func script(_ bytes: [UInt8]) -> PageFile {
        // HTML § 4.12.1: a module is refused under any type but JavaScript's.
        PageFile("text/javascript; charset=utf-8", bytes)
    }

    // What all pages have.

    /// Colours and controls.
    package static let look = style(PackageResources.look_css)
    package static let icon = PageFile("image/svg+xml", PackageResources.icon_svg)
}
