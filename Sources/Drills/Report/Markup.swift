/// Text that is HTML or SVG already.
struct Markup: Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    private(set) var description: String

    init(stringLiteral value: String) {
        description = value
    }

    init(stringInterpolation: Interpolation) {
        description = stringInterpolation.text
    }

    init(_ parts: [Markup], separator: String = "\n") {
        description = parts.map(\.description).joined(separator: separator)
    }

    /// Values are escaped as they go in, markup is not.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ markup: Markup) { text += markup.description }
        mutating func appendInterpolation(_ value: Int) { text += "\(value)" }
        mutating func appendInterpolation(_ value: String) {
            for character in value.unicodeScalars {
                switch character {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                // Control characters are not allowed in HTML at all.
                case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": text += "\u{FFFD}"
                default: text.unicodeScalars.append(character)
                }
            }
        }
    }

    static func += (left: inout Markup, right: Markup) { left.description += right.description }
}
