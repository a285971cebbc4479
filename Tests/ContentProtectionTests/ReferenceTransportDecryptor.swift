/// SAMPLE-AES as Apple's "MPEG-2 Stream Encryption Format for HTTP Live Streaming" tells the receiver, byte by byte.
struct ReferenceTransportDecryptor {
    var aes: ReferenceAES
    var iv: [UInt8]

    /// An access unit behind start codes of four bytes: its NAL units as they were before encryption.
    func nalUnits(ofAnnexB bytes: [UInt8]) -> [[UInt8]] {
        var nalUnits: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            if bytes[position...].starts(with: [0, 0, 0, 1]) {
                nalUnits.append([])
                position += 4
            } else {
                // Start codes of three bytes, and bytes ahead of the first one, end up in a NAL unit: a difference.
                nalUnits[nalUnits.count - 1].append(bytes[position])
                position += 1
            }
        }
        return nalUnits.map(nalUnit)
    }

    func nalUnit(_ coded: [UInt8]) -> [UInt8] {
        guard [1, 5].contains(coded[0] & 0x1F), coded.count > 48 else { return coded }
        let nalUnit = Self.withoutEmulationPrevention(coded)
        var result = Array(nalUnit[..<32])
        var rest = nalUnit[32...]
        var previous = iv
        while !rest.isEmpty {
            if rest.count > 16 {
                let block = Array(rest.prefix(16))
                result += zip(aes.decrypt(block), previous).map { $0 ^ $1 }
                previous = block
                rest = rest.dropFirst(16)
            }
            result += rest.prefix(144)
            rest = rest.dropFirst(144)
        }
        return result
    }

    /// A frame whose header, which stays clear like the 16 bytes behind it, has so many bytes.
    func audioFrame(_ frame: [UInt8], header: Int) -> [UInt8] {
        var previous = iv
        return audioFrame(frame, header: header, &previous)
    }

    /// Syncframes of an access unit, one after another.
    func syncframes(_ unit: [UInt8], sizes: [Int]) -> [UInt8] {
        var previous = iv
        var start = 0
        return sizes.flatMap { size in
            defer { start += size }
            return audioFrame(Array(unit[start..<(start + size)]), header: 0, &previous)
        }
    }

    private func audioFrame(_ frame: [UInt8], header: Int, _ previous: inout [UInt8]) -> [UInt8] {
        var result = Array(frame.prefix(header + 16))
        var rest = frame.dropFirst(header + 16)
        while rest.count >= 16 {
            let block = Array(rest.prefix(16))
            result += zip(aes.decrypt(block), previous).map { $0 ^ $1 }
            previous = block
            rest = rest.dropFirst(16)
        }
        return result + rest
    }

    static func withoutEmulationPrevention(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
