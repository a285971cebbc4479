/// A public key that verifies signatures with SHA-256, by the one algorithm that goes with it.
package final class SignatureKey: Sendable {
    package enum Algorithm: Hashable, Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8017 § 8.2).
        case rsa
        /// ECDSA on P-256; a signature is its two numbers, 32 bytes each (RFC 7518 § 3.4).
        case p256
    }

    package let algorithm: Algorithm
    private let key: PublicKey

    private static let coordinateSize = 32

    /// Takes an RSA key, most significant byte first; fails if it is not valid.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let key = PublicKey(modulus: modulus, exponent: exponent) else { return nil }
        algorithm = .rsa
        self.key = key
    }

    /// Takes a point of P-256 by its coordinates of 32 bytes each; fails if it is not on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateSize, y.count == Self.coordinateSize, let key = PublicKey(p256: [4] + x + y)
        else { return nil }
        algorithm = .p256
        self.key = key
    }

    /// The length of an RSA key's modulus; 256 of a point.
    package var bits: Int { key.bits }

    /// Returns true if a signature of bytes is by the holder of the private key.
    package func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch algorithm {
        case .rsa: return key.verifies(signature, of: bytes, .sha256)
        case .p256:
            guard signature.count == 2 * Self.coordinateSize else { return false }
            let numbers = [signature.prefix(Self.coordinateSize), signature.suffix(Self.coordinateSize)]
            return key.verifies(Self.sequence(of: numbers), of: bytes, .sha256)
        }
    }

    /// An ASN.1 SEQUENCE of short positive INTEGERs in DER (ITU-T X.690 § 8.3).
    private static func sequence(of numbers: [ArraySlice<UInt8>]) -> [UInt8] {
        let contents = numbers.flatMap { number in
            var digits = Array(number.drop { $0 == 0 })
            // A first bit of 1 would be a sign.
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(contents.count)] + contents
    }
}
