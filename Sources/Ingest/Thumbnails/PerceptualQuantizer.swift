import Foundation

/// The transfer function of SMPTE ST 2084, precise enough for a thumbnail.
enum PerceptualQuantizer {
    /// Codes for a screen of standard dynamic range, by the code of eight bits.
    static let display: [UInt8] = (0...255).map { code in
        let white = luminance(Double(code) / 255) / referenceWhite
        // Tones below diffuse white stay as they are; brighter ones approach white and never reach it.
        let shown = white < knee ? white : knee + (1 - knee) * (1 - exp((knee - white) / (2 * (1 - knee))))
        return UInt8((pow(shown, 1 / 2.2) * 255).rounded())
    }

    /// cd/m² (ITU-R BT.2408 § 2.2).
    private static let referenceWhite = 203.0
    /// A share of reference white.
    private static let knee = 0.6

    /// The luminance in cd/m² (SMPTE ST 2084 § 5.2).
    private static func luminance(_ code: Double) -> Double {
        let (m1, m2) = (2610.0 / 16_384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let power = pow(code, 1 / m2)
        return 10_000 * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }
}
