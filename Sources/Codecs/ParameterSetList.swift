/// A parameter set of H.264 or HEVC.
protocol ParameterSet: Sendable {
    /// The NAL unit, header included, emulation prevention in place.
    var nalUnit: [UInt8] { get }
    var id: Int { get }

    /// - Parameter nalUnit: The NAL unit, header included.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range.
    init(_ nalUnit: RawSpan) throws(CodecError)
}

/// The parameter sets of one kind as they stand, in order of ids.
struct ParameterSetList<Element: ParameterSet>: Sendable {
    private(set) var elements: [Element] = []
    /// The number that a decoder configuration record can hold.
    let limit: Int

    private static var longestNALUnit: Int { 65_535 }

    /// The result of inserting a parameter set.
    enum Insertion {
        /// The list has the same bytes already.
        case same(id: Int)
        case new(id: Int)
        case replaced(id: Int)
    }

    init(limit: Int) {
        self.limit = limit
    }

    subscript(id id: Int) -> Element? { elements.first { $0.id == id } }

    /// Takes one in; one that stands already costs a comparison of bytes.
    ///
    /// - Parameter nalUnit: The NAL unit, header included.
    /// - Returns: The relation to the parameter sets that stood before.
    /// - Throws: ``CodecError`` if it cannot be read or kept; then everything stands as before.
    mutating func insert(_ nalUnit: RawSpan) throws(CodecError) -> Insertion {
        if let same = elements.first(where: { nalUnit.hasSameBytes(as: $0.nalUnit) }) { return .same(id: same.id) }
        guard nalUnit.byteCount <= Self.longestNALUnit else { throw .unsupported("length of parameter set") }
        let new = try Element(nalUnit)
        if let index = elements.firstIndex(where: { $0.id == new.id }) {
            elements[index] = new
            return .replaced(id: new.id)
        }
        guard elements.count < limit else { throw .unsupported("number of parameter sets") }
        elements.append(new)
        elements.sort { $0.id < $1.id }
        return .new(id: new.id)
    }

    mutating func removeAll(where isLeftOver: (Element) -> Bool) {
        elements.removeAll(where: isLeftOver)
    }
}

extension RawSpan {
    fileprivate func hasSameBytes(as other: [UInt8]) -> Bool {
        guard byteCount == other.count else { return false }
        return withUnsafeBytes { mine in other.withUnsafeBytes { mine.elementsEqual($0) } }
    }
}
