import FoundationEssentials

extension JSONEncoder {
    /// On one line with sorted keys, so that equal values are equal texts.
    static var canonical: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
