/// A viewer's pass to the playlists and media of one channel, which caches verify as the origin does, without asking
/// it.
///
/// Its text is `SIGNATURE-EXPIRES`. EXPIRES is the time at which the pass becomes invalid, in seconds since 1970.
/// SIGNATURE has 64 hexadecimal digits, in small letters: HMAC with SHA-256 (RFC 2104) of `EXPIRES/NAME`, NAME being
/// the channel. In the prefix of paths, `/t/SIGNATURE-EXPIRES/NAME/…`, the signed text is contiguous.
struct MediaPass {
    private(set) var signature = SIMD32<UInt8>()
    /// Seconds since 1970.
    private(set) var expires: Int64 = 0
    /// Bytes of its text.
    private(set) var length = 0

    /// The name of the cookie that a pass may come in.
    static let cookie = "packager_pass"
    /// The beginning of paths with a pass.
    static let directory = "/t/"
    /// The digits of the signature, and the hyphen.
    static let signatureLength = 65
    /// The most digits of a moment, enough for thirty thousand years.
    private static let longestMoment = 12

    /// Reads a pass from the beginning of bytes.
    ///
    /// - Returns: Nil for anything else.
    init?(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard bytes.count > Self.signatureLength, bytes[bytes.startIndex + 64] == UInt8(ascii: "-") else { return nil }
        var index = bytes.startIndex
        for place in 0..<32 {
            guard let high = bytes[index].digit, let low = bytes[index + 1].digit else { return nil }
            signature[place] = high << 4 | low
            index += 2
        }
        let digits = bytes[(index + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // One spelling of each moment, because the text is signed.
        guard (1...Self.longestMoment).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        for digit in digits { expires = expires * 10 + Int64(digit - UInt8(ascii: "0")) }
        length = Self.signatureLength + digits.count
    }
}

extension MediaPass {
    /// A pass at the beginning of a path, and the channel that it is for.
    struct Prefix {
        var pass: MediaPass
        /// Bytes of the path in front of the slash before the channel's name.
        var length: Int
        /// The bytes of the path that are signed.
        var signed: Range<Int>

        /// Reads the beginning of a path; nil if it has no pass, or ends with it.
        init?(_ path: UnsafeRawBufferPointer) {
            let directory = MediaPass.directory.utf8.count
            guard path.count > directory, path[..<directory].elementsEqual(MediaPass.directory.utf8),
                let pass = MediaPass(path[directory...])
            else { return nil }
            self.pass = pass
            length = directory + pass.length
            guard length < path.count, path[length] == UInt8(ascii: "/") else { return nil }
            let name = path[(length + 1)...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            signed = (directory + MediaPass.signatureLength)..<name.endIndex
        }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit, in small letters.
    fileprivate var digit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
