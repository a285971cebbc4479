import XML

/// Elements of CPIX's own namespace.
extension Element {
    /// An element of nothing but text.
    ///
    /// - Parameters:
    ///   - name: The name in CPIX.
    ///   - attributes: In no namespace; those that are nil are left out.
    ///   - text: All that is in it.
    init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String) {
        self.init(name, .cpix, attributes, text: text)
    }

    func elements(_ name: String) -> [Element] { elements(name, .cpix) }

    func element(_ name: String) -> Element? { element(name, .cpix) }

    /// Parses a document in UTF-8.
    ///
    /// - Throws: The reason why it cannot be read, in the form of CPIX's own problems.
    static func document(_ bytes: some Sequence<UInt8>) throws(CPIXError) -> Element {
        do throws(XMLProblem) {
            return try Element(parsing: bytes)
        } catch {
            throw CPIXError(error.place, error.message)
        }
    }
}
