import NIOCore

/// The strength of a device's protection of decrypted media.
package enum SecurityLevel: Hashable, Comparable, Sendable, CaseIterable {
    case audio, baseline, main

    /// The code in SPCs and CKCs.
    package var code: UInt64 {
        switch self {
        case .audio: 0x17d9_9d57_4eed_567d
        case .baseline: 0x32f0_0049_66a5_c4f8
        case .main: 0x4e7f_d924_21d5_88b4
        }
    }

    /// Reads the report of a device: version, four bytes, level, four bytes; nil for a level that is not known, and for a
    /// report that is encrypted, which is longer.
    init?(report: ByteBuffer) {
        guard report.readableBytes == 20,
            let level = Self.allCases.first(where: { level in
                report.getInteger(at: report.readerIndex + 8) == level.code
            })
        else { return nil }
        self = level
    }
}
