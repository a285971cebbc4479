import Testing

/// What a channel can be told to make: `--format` and `--encryption`.
struct SegmentFormat: Hashable, Sendable, CustomTestStringConvertible {
    enum Container: String, Hashable, Sendable {
        case fragmentedMP4 = "fmp4"
        case transportStream = "ts"
    }

    enum Encryption: String, Hashable, Sendable {
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

    /// FFmpeg's HLS demuxer does not know SAMPLE-AES-CTR: what it is, Shaka Packager's decryptor says alone.
    var isReadByFFmpeg: Bool { encryption != .sampleAESCounterMode }

    /// How many pictures at the very end FFmpeg does not get right: its HLS demuxer leaves the last access unit of a
    /// transport stream with SAMPLE-AES encrypted.
    var spoiledPictures: Int { self == SegmentFormat(.transportStream, .sampleAES) ? 3 : 0 }

    var testDescription: String { "\(container.rawValue) \(encryption.rawValue)" }
}
