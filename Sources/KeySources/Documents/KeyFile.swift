package import ContentProtection
import FoundationEssentials
import MediaCore

/// Keys line by line, each a JSON object.
///
///     {"period": 5929921, "class": "video", "keyID": "32 hexadecimal digits", "key": "as many", "iv": "as many"}
///
/// A key without a period is for all that have none of their own; one without an initialization vector has its ID for
/// that.
package struct KeyFile: KeyDocument {
    private struct Line: Decodable {
        var period: Int64?
        var `class`: String
        var keyID: String
        var key: String
        var iv: String?
    }

    private struct Place: Hashable {
        var period: Int64?
        var keyClass: KeyClass
    }

    private let path: String
    private var keys: [Place: PeriodKey] = [:]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of a file that only its owner may read.
    ///   - maximumBytes: The most bytes of the file.
    /// - Throws: `MasterSecretFileError` if it cannot be read; ``KeySourceError`` for the first line that is wrong.
    package init(path: String, atMost maximumBytes: Int = 32 << 20) throws {
        let bytes = try SecretFile.contents(path: path, atMost: maximumBytes + 1)
        guard bytes.count <= maximumBytes else {
            throw KeySourceError("\(path): it is longer than \(maximumBytes) bytes; remove the keys of past periods")
        }
        try self.init(path: path, bytes)
    }

    init(path: String, _ bytes: [UInt8]) throws(KeySourceError) {
        self.path = path
        var names: [KeyID: Place] = [:]
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let problem = { (text: String) in KeySourceError("\(path):\(index + 1): \(text)") }
            // The decoder's error would show the line.
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
                throw problem("it is not an object with class, keyID and key, and perhaps period and iv")
            }
            guard let keyClass = KeyClass(rawValue: line.class) else {
                let classes = KeyClass.allCases.map(\.rawValue).joined(separator: ", ")
                throw problem("class is none of \(classes)")
            }
            guard let keyID = Bytes16(hex: line.keyID).map(KeyID.init) else {
                throw problem("keyID is not 32 hexadecimal digits")
            }
            guard let key = Bytes16(hex: line.key) else { throw problem("key is not 32 hexadecimal digits") }
            guard let iv = line.iv.map(Bytes16.init(hex:)) ?? keyID.bytes else {
                throw problem("iv is not 32 hexadecimal digits")
            }
            let place = Place(period: line.period, keyClass: keyClass)
            guard names.updateValue(place, forKey: keyID) == nil else { throw problem("another line has this keyID") }
            let value = PeriodKey(
                period: CryptoPeriod(line.period ?? 0),
                keyClass: keyClass,
                keyID: keyID,
                contentKey: ContentKey(key),
                constantIV: iv
            )
            guard keys.updateValue(value, forKey: place) == nil else {
                throw problem("another line is for this class and period")
            }
        }
    }

    package func keys(of period: CryptoPeriod, _ classes: [KeyClass]) throws -> [PeriodKey] {
        try classes.map { keyClass in
            let own = keys[Place(period: period.index, keyClass: keyClass)]
            guard var key = own ?? keys[Place(period: nil, keyClass: keyClass)] else {
                throw KeySourceError("\(path): it has no key for \(keyClass.rawValue) in crypto period \(period)")
            }
            key.period = period
            return key
        }
    }
}
