import Foundation
import MediaCore
import XML

extension Element {
    func required(_ name: String) throws(CPIXError) -> String {
        guard let text = attribute(name) else { throw CPIXError(path, "it has no @\(name)") }
        return text
    }

    func keyID(_ name: String) throws(CPIXError) -> KeyID {
        guard let keyID = KeyID(uuid: try required(name)) else {
            throw CPIXError("\(path)@\(name)", "it is not a UUID")
        }
        return keyID
    }

    func number(_ name: String) throws(CPIXError) -> Int64? {
        guard let text = attribute(name) else { return nil }
        guard let number = Int64(text.trimmed) else { throw CPIXError("\(path)@\(name)", "it is not an integer") }
        return number
    }

    func boolean(_ name: String) throws(CPIXError) -> Bool? {
        guard let text = attribute(name) else { return nil }
        switch text.trimmed {
        case "true", "1": return true
        case "false", "0": return false
        default: throw CPIXError("\(path)@\(name)", "it is neither true nor false")
        }
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The bytes that it stands for (xs:base64Binary, which may have white space anywhere); nil if it is something else.
    var decodedBase64: [UInt8]? {
        Data(base64Encoded: filter { !$0.isWhitespace }).map(Array.init)
    }
}

extension [UInt8] {
    var base64: String { Data(self).base64EncodedString() }
}

extension Bytes16 {
    init?(base64 text: String) {
        guard let bytes = text.decodedBase64 else { return nil }
        self.init(bytes)
    }

    var base64: String { bytes.base64 }
}

extension KeyID {
    /// Takes a UUID of either case; nil for anything else.
    init?(uuid text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], let bytes = Bytes16(hex: parts.joined()) else { return nil }
        self.init(bytes)
    }

    /// The UUID in lower case.
    var uuid: String {
        let hex = Array(bytes.hex)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }
}
