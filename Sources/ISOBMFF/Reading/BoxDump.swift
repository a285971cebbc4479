import MediaCore
package import NIOCore

/// Boxes as text, one a line with its size and fields, children indented: for golden tests and for people.
///
/// Anything can be dumped: what cannot be read is said so in its place, and the rest goes on.
package struct BoxDump: CustomStringConvertible {
    package private(set) var description = ""

    /// Deeper boxes are not looked into; files nest to about ten.
    private static let maximumDepth = 16

    package init(_ bytes: ByteBuffer) {
        dump(ByteCursor(bytes.slice(), in: 0..<bytes.readableBytes), depth: 0)
    }

    private mutating func dump(_ cursor: ByteCursor, depth: Int) {
        do throws(MalformedBoxError) {
            for box in try ParsedBox.boxes(cursor) { dump(box, depth: depth) }
        } catch {
            write("! \(error)", depth: depth)
        }
    }

    private mutating func dump(_ box: ParsedBox, depth: Int) {
        var fields = BoxFields(box.content)
        var failure: MalformedBoxError?
        do throws(MalformedBoxError) {
            try fields.read(box.type)
        } catch {
            failure = error
        }
        write("\(box.type) \(([("size", "\(box.range.count)")] + fields.values).text)", depth: depth)
        for row in fields.rows { write("- \(row.text)", depth: depth + 1) }
        if let failure {
            write("! \(failure)", depth: depth + 1)
        } else if fields.areFollowedByBoxes {
            if depth < Self.maximumDepth {
                dump(fields.cursor, depth: depth + 1)
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
