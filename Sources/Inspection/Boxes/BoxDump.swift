import MediaCore
package import NIOCore

/// Boxes as text, one per line with its size and fields, children indented: for golden tests and for people.
///
/// Anything can be dumped: an unreadable part is noted in its place, and the rest continues.
package struct BoxDump: CustomStringConvertible {
    package private(set) var description = ""

    /// Deeper boxes are not looked into; files nest to about ten.
    private static let maximumDepth = 16

    /// Default_Per_Sample_IV_Size of `tenc`, which `senc` is read by.
    private let vectorSize: Int

    /// Dumps boxes.
    ///
    /// - Parameters:
    ///   - bytes: Boxes, whole or broken.
    ///   - perSampleIVSize: The bytes of each sample's IV in `senc`, which its track defines; 0 if it is constant.
    package init(_ bytes: ByteBuffer, perSampleIVSize: Int = 0) {
        vectorSize = perSampleIVSize
        dump(ByteCursor(bytes.slice(), in: 0..<bytes.readableBytes), in: nil, depth: 0)
    }

    private mutating func dump(_ cursor: ByteCursor, in parent: FourCC?, depth: Int) {
        do throws(MalformedBoxError) {
            for box in try ParsedBox.boxes(cursor) { dump(box, in: parent, depth: depth) }
        } catch {
            write("! \(error)", depth: depth)
        }
    }

    private mutating func dump(_ box: ParsedBox, in parent: FourCC?, depth: Int) {
        var fields = BoxFields(box.content, vectorSize: vectorSize)
        var failure: MalformedBoxError?
        do throws(MalformedBoxError) {
            try fields.read(box.type, in: parent)
        } catch {
            failure = error
        }
        write("\(box.type) \(([("size", "\(box.range.count)")] + fields.values).text)", depth: depth)
        for row in fields.rows { write("- \(row.text)", depth: depth + 1) }
        if let failure {
            write("! \(failure)", depth: depth + 1)
        } else if fields.areFollowedByBoxes {
            if depth < Self.maximumDepth {
                dump(fields.cursor, in: box.type, depth: depth + 1)
            } else {
                write("! too deep", depth: depth + 1)
            }
        }
    }

    private mutating func write(_ line: String, depth: Int) {
        description += String(repeating: "  ", count: depth) + line + "\n"
    }
}

extension [(name: String, value: String)] {
    fileprivate var text: String { map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
}
