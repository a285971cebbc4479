import NIOCore

/// A value of Action Message Format 0, as commands and metadata are made of.
enum AMF0Value: Hashable, Sendable {
    case number(Double)
    case boolean(Bool)
    case string(String)
    /// The properties of an object or an ECMA array; of several of one name the last counts.
    case object([String: AMF0Value])
    case array([AMF0Value])
    case null
    case undefined
    /// Milliseconds since 1970.
    case date(Double)

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var properties: [String: AMF0Value]? { if case .object(let object) = self { object } else { nil } }
}

/// Markers (AMF 0 § 2.1).
private enum Marker: UInt8 {
    case number = 0, boolean, string, object
    case null = 5, undefined, reference, ecmaArray, objectEnd, strictArray, date, longString
    case unsupported = 13
    case xmlDocument = 15, typedObject
}

extension ByteBuffer {
    /// Reads consecutive values, up to one that cannot be read.
    mutating func readAMF0Values() -> [AMF0Value] {
        var values: [AMF0Value] = []
        var budget = Self.mostValues
        while readableBytes > 0, let value = readAMF0Value(depth: 0, &budget) { values.append(value) }
        return values
    }

    /// Objects within objects: no command has more than two.
    private static let deepest = 8
    /// Values of a message, those within others among them: metadata has some thirty.
    private static let mostValues = 1_024

    /// - Returns: The value; nil if it is missing, cut off, or beyond the limit.
    private mutating func readAMF0Value(depth: Int, _ budget: inout Int) -> AMF0Value? {
        guard budget > 0 else { return nil }
        budget -= 1
        guard depth <= Self.deepest, let marker = readInteger(as: UInt8.self).flatMap(Marker.init) else { return nil }
        switch marker {
        case .number: return readDouble().map(AMF0Value.number)
        case .boolean: return readInteger(as: UInt8.self).map { .boolean($0 != 0) }
        case .string: return readText(as: UInt16.self).map(AMF0Value.string)
        case .longString, .xmlDocument: return readText(as: UInt32.self).map(AMF0Value.string)
        case .object: return readProperties(depth: depth, &budget)
        case .typedObject: return readText(as: UInt16.self) == nil ? nil : readProperties(depth: depth, &budget)
        // The count is a hint (§ 2.10): the end is marked.
        case .ecmaArray: return readInteger(as: UInt32.self) == nil ? nil : readProperties(depth: depth, &budget)
        case .strictArray: return readElements(depth: depth, &budget)
        case .date:
            guard let time = readDouble(), readInteger(as: UInt16.self) != nil else { return nil }
            return .date(time)
        case .reference: return readInteger(as: UInt16.self) == nil ? nil : .undefined
        case .null: return .null
        case .undefined, .unsupported: return .undefined
        case .objectEnd: return nil
        }
    }

    private mutating func readProperties(depth: Int, _ budget: inout Int) -> AMF0Value? {
        var properties: [String: AMF0Value] = [:]
        while let name = readText(as: UInt16.self) {
            if name.isEmpty, getInteger(at: readerIndex, as: UInt8.self) == Marker.objectEnd.rawValue {
                moveReaderIndex(forwardBy: 1)
                return .object(properties)
            }
            guard let value = readAMF0Value(depth: depth + 1, &budget) else { return nil }
            properties[name] = value
        }
        return nil
    }

    private mutating func readElements(depth: Int, _ budget: inout Int) -> AMF0Value? {
        guard let count = readInteger(as: UInt32.self), Int(count) <= readableBytes else { return nil }
        var elements: [AMF0Value] = []
        for _ in 0..<count {
            guard let element = readAMF0Value(depth: depth + 1, &budget) else { return nil }
            elements.append(element)
        }
        return .array(elements)
    }

    private mutating func readDouble() -> Double? {
        readInteger(as: UInt64.self).map(Double.init(bitPattern:))
    }

    private mutating func readText<Length: FixedWidthInteger>(as length: Length.Type) -> String? {
        guard let length = readInteger(as: Length.self), Int(length) <= readableBytes else { return nil }
        return readString(length: Int(length))
    }

    /// Writes values one after the other, an object's properties in the order of their names.
    mutating func writeAMF0(_ values: AMF0Value...) {
        for value in values { writeAMF0(value) }
    }

    private mutating func writeAMF0(_ value: AMF0Value) {
        switch value {
        case .number(let number):
            write(.number)
            writeInteger(number.bitPattern)
        case .boolean(let isTrue):
            write(.boolean)
            writeInteger(isTrue ? 1 : 0 as UInt8)
        case .string(let text):
            let isLong = text.utf8.count > Int(UInt16.max)
            write(isLong ? .longString : .string)
            if isLong { writeInteger(UInt32(text.utf8.count)) } else { writeInteger(UInt16(text.utf8.count)) }
            writeString(text)
        case .object(let properties):
            write(.object)
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
                let name = name.utf8.prefix(Int(UInt16.max))
                writeInteger(UInt16(name.count))
                writeBytes(name)
                writeAMF0(value)
            }
            writeInteger(0 as UInt16)
            write(.objectEnd)
        case .array(let elements):
            write(.strictArray)
            writeInteger(UInt32(elements.count))
            for element in elements { writeAMF0(element) }
        case .null: write(.null)
        case .undefined: write(.undefined)
        case .date(let time):
            write(.date)
            writeInteger(time.bitPattern)
            writeInteger(0 as UInt16)
        }
    }

    private mutating func write(_ marker: Marker) { writeInteger(marker.rawValue) }
}
