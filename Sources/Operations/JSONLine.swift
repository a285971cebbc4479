/// A JSON object of texts and numbers on one line (RFC 8259), with its members in their order.
enum JSONLine {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A number in decimal digits.
        case number(String)
    }

    /// - Parameter members: In their order.
    /// - Returns: The object, without a line break.
    static func text(_ members: [(String, Value)]) -> String {
        let members = members.map { name, value in
            switch value {
            case .text(let text): "\(quoted(name)):\(quoted(text))"
            case .number(let digits): "\(quoted(name)):\(digits)"
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// RFC 8259 § 7: quotation mark, reverse solidus and control characters are escaped.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
