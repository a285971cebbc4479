import Foundation
import NIOCore

extension JSONValue {
    /// Finds a key that an object in a document has twice (RFC 8259 § 4: which of the two counts is undefined).
    ///
    /// - Parameter json: Well-formed, in UTF-8.
    /// - Returns: The first; nil if there is none.
    static func repeatedKey(in json: ByteBuffer) -> String? {
        let bytes = json.readableBytesView
        var objects: [Set<String>] = []
        var text = bytes.startIndex..<bytes.startIndex
        var place = bytes.startIndex
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "{"): objects.append([])
            case UInt8(ascii: "}"): _ = objects.popLast()
            case UInt8(ascii: "\""):
                let start = place
                place += 1
                while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                text = start..<min(place + 1, bytes.endIndex)
            case UInt8(ascii: ":"):
                // A key may have escapes.
                guard let key = try? JSONDecoder().decode(String.self, from: Data(bytes[text])), !objects.isEmpty
                else { break }
                if !objects[objects.count - 1].insert(key).inserted { return key }
            default: break
            }
            place += 1
        }
        return nil
    }
}
