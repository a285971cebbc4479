package import FoundationEssentials

extension JSONEncoder {
    /// Encodes on one line with sorted keys, so that equal values are equal texts.
    package static var canonical: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The same, laid out for people.
    package static var readable: JSONEncoder {
        let encoder = canonical
        encoder.outputFormatting.insert(.prettyPrinted)
        return encoder
    }
}
