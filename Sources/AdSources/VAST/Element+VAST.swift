import Foundation
import XML

/// Elements of VAST, by their local names: servers differ in the namespace.
extension Element {
    /// A document's root.
    ///
    /// - Throws: The reason why it cannot be read.
    static func vast(_ bytes: [UInt8]) throws(AdSourceError) -> Element {
        do throws(XMLProblem) {
            // Servers may send other bytes before the XML.
            return try Element(parsing: bytes.drop { $0 != UInt8(ascii: "<") })
        } catch {
            throw AdSourceError("its answer cannot be read: \(error)")
        }
    }

    func child(_ name: String) -> Element? { elements.first { $0.name == name } }

    func children(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The text of the element, without the white space around it.
    var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    var sequence: Int? { value("sequence").flatMap { Int($0) } }
}
