import MediaCore

extension ProtectionSystemHeader {
    /// Reads a whole `pssh` box (ISO/IEC 23001-7 § 8.1); nil for anything else.
    init?(box: [UInt8]) {
        var rest = box[...]
        func take(_ count: UInt32) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return rest.prefix(Int(count))
        }
        func word() -> UInt32? { take(4)?.reduce(0) { $0 << 8 | UInt32($1) } }
        func identifier() -> Bytes16? { take(16).flatMap { Bytes16(Array($0)) } }
        guard word() == UInt32(exactly: box.count), word() == FourCC("pssh").code,
            let version = word().map({ $0 >> 24 }),
            version <= 1, let systemID = identifier()
        else { return nil }
        var keyIDs: [KeyID] = []
        if version == 1 {
            guard let count = word() else { return nil }
            for _ in 0..<count {
                guard let keyID = identifier() else { return nil }
                keyIDs.append(KeyID(keyID))
            }
        }
        guard let size = word(), let data = take(size), rest.isEmpty else { return nil }
        self.init(systemID: systemID, keyIDs: keyIDs, data: Array(data))
    }
}
