import Testing

/// A format that a channel can be told to make: `--format` and `--encryption`.
struct SegmentFormat: Hashable, Sendable, CustomTestStringConvertible {
    enum Container: String, Hashable, Sendable {
        case fragmentedMP4 = "fmp4"
        case transportStream = "ts"
    }

    enum Encryption: String, CaseIterable, Hashable, Sendable {
        case none
        case aes128 = "aes-128"
        case sampleAES = "sample-aes"
        case sampleAESCounterMode = "sample-aes-ctr"
    }

    var container: Container
    var encryption: Encryption

    init(_ container: Container, _ encryption: Encryption) {
        self.container = container
        self.encryption = encryption
    }

    var options: [String] { ["--format", container.rawValue, "--encryption", encryption.rawValue] }

    /// The number of units at the very end that FFmpeg does not get right: its HLS demuxer does not decrypt the packets
    /// of a transport stream with SAMPLE-AES that it hands out once it has read the playlist to its end.
    var spoiledUnits: Int { self == SegmentFormat(.transportStream, .sampleAES) ? 3 : 0 }

    var testDescription: String { "\(container.rawValue) \(encryption.rawValue)" }
}
