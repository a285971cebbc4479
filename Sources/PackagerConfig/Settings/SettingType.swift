/// The type of a setting: reads it from text and writes it as text.
struct SettingType<Value>: Sendable {
    var syntax: SettingSyntax
    /// Reads it from one text or, if it is a list, from several; nil if something is wrong, which is reported.
    let read: @Sendable (inout ConfigurationReader, [WrittenValue]) -> Value?
    /// Returns the text that would be written; nil if there is nothing to write.
    let text: @Sendable (Value) -> String?
    /// Returns the text for comparison with another packager or run; nil if the value cannot be compared.
    var identity: @Sendable (Value) -> String?

    /// Creates a type of a single value.
    init(
        _ parse: @escaping @Sendable (String) throws(SettingValue.Invalid) -> Value,
        _ syntax: SettingSyntax = SettingSyntax(),
        text: @escaping @Sendable (Value) -> String?
    ) {
        self.syntax = syntax
        read = { reader, values in
            guard let first = values.first else { return nil }
            if values.count > 1 { reader.report(first.origin, "one value is expected, not \(values.count)") }
            return reader.value(first, parse)
        }
        self.text = text
        identity = text
    }

    private init(
        _ syntax: SettingSyntax,
        read: @escaping @Sendable (inout ConfigurationReader, [WrittenValue]) -> Value?,
        text: @escaping @Sendable (Value) -> String?,
        identity: @escaping @Sendable (Value) -> String?
    ) {
        self.syntax = syntax
        self.read = read
        self.text = text
        self.identity = identity
    }

    /// Makes the type of a setting that takes several values.
    ///
    /// - Parameters:
    ///   - parse: Reads one.
    ///   - syntax: The syntax of one element.
    ///   - isSeparated: True if a text may have several, with commas between them.
    ///   - repetition: The property that no two may share, in words.
    ///   - text: Writes all.
    init<Element>(
        listOf parse: @escaping @Sendable (String) throws(SettingValue.Invalid) -> Element,
        _ syntax: SettingSyntax = SettingSyntax(),
        isSeparated: Bool = false,
        repetition: (@Sendable (Element) -> String)? = nil,
        text: @escaping @Sendable ([Element]) -> String?
    ) where Value == [Element] {
        self.syntax = syntax
        self.syntax.isList = true
        read = { reader, values in
            var elements: [Element] = []
            var taken: Set<String> = []
            for value in values {
                let texts =
                    isSeparated ? value.text.split(separator: ",", omittingEmptySubsequences: false) : [value.text[...]]
                for text in texts {
                    let part = WrittenValue(
                        text: isSeparated ? text.trimmingWhitespace : value.text,
                        origin: value.origin
                    )
                    guard let element = reader.value(part, parse) else { continue }
                    if let name = repetition?(element), !taken.insert(name).inserted {
                        reader.report(value.origin, "\(name) is there twice")
                    } else {
                        elements.append(element)
                    }
                }
            }
            return elements
        }
        self.text = text
        identity = text
    }

    /// The same for an optional value.
    var optional: SettingType<Value?> {
        SettingType<Value?>(
            syntax,
            read: { [read] in read(&$0, $1) },
            text: { [text] in $0.flatMap(text) },
            identity: { [identity] in $0.flatMap(identity) }
        )
    }

    /// Returns the same type with another comparison.
    func compared(by identity: @escaping @Sendable (Value) -> String?) -> Self {
        var type = self
        type.identity = identity
        return type
    }
}
