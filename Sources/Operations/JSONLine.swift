/// A JSON object of texts and numbers on one line (RFC 8259), with its members in their order.
package enum JSONLine {
    /// - Parameters:
    ///   - texts: Members whose values are strings.
    ///   - numbers: Members whose values are integers, after these.
    /// - Returns: The object, without a line break.
    package static func text(_ texts: [(String, String)], numbers: [(String, Int)] = []) -> String {
        let members =
            texts.map { "\(quoted($0.0)):\(quoted($0.1))" } + numbers.map { "\(quoted($0.0)):\($0.1)" }
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
