import MediaCore

/// The reason why bytes cannot be read as boxes.
package struct MalformedBoxError: Error, Hashable, Sendable {
    var reason: Reason
    /// The offset from the start of the data, in bytes.
    var offset: Int

    enum Reason: Hashable, Sendable {
        /// A field goes beyond its box.
        case truncated
        /// A box is shorter than its header or longer than its container.
        case impossibleSize
        /// A box that must be there is not.
        case missing(FourCC)
        /// A table counts more entries than there can be.
        case tooManyEntries
        /// Data has an impossible place.
        case misplacedData
    }

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension MalformedBoxError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .truncated: "a field at byte \(offset) goes beyond its box"
        case .impossibleSize: "the box at byte \(offset) has an impossible size"
        case .missing(let type): "there is no \(type) in the box at byte \(offset)"
        case .tooManyEntries: "the table at byte \(offset) counts too many entries"
        case .misplacedData: "the box at byte \(offset) points to where its data cannot be"
        }
    }
}
