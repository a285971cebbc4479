import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ISOBMFF
@testable import Inspection

/// One track that FFmpeg encoded and muxed, taken apart, to be written anew.
struct EncodedMedia {
    /// FFmpeg's file.
    let file: URL
    let entry: ParsedSampleEntry
    private let timescale: UInt32
    private let fragments: [ParsedFragment]
    private let bytes: ByteBuffer

    /// Encodes.
    ///
    /// - Parameters:
    ///   - arguments: FFmpeg's, from the source to the encoder's options.
    ///   - folder: For all files.
    /// - Throws: If FFmpeg cannot do it, or its file cannot be read.
    init(_ arguments: [String], in folder: URL) async throws {
        file = folder.appending(path: "ffmpeg.mp4")
        try await Program.finish(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-f", "lavfi", "-i"] + arguments + [
                "-movflags", "delay_moov+default_base_moof+negative_cts_offsets", "-frag_duration", "200000",
                "-use_editlist", "0", "-strict", "-2", file.path,
            ]
        )
        bytes = ByteBuffer(bytes: try Data(contentsOf: file))
        let initialization = try ParsedInitialization(bytes)
        (entry, timescale) = (initialization.track.sampleEntry, initialization.track.timescale)
        fragments = try ParsedFragment.fragments(in: bytes, initialization: initialization)
    }

    /// Writes the samples as this packager does.
    ///
    /// - Parameters:
    ///   - name: Of the file.
    ///   - configuration: What the initialization section says.
    ///   - encryption: How the samples come to be encrypted, scheme `cenc`; nil leaves them clear.
    /// - Returns: The path.
    /// - Throws: If the command that encrypts cannot do it, or the file cannot be written.
    func write(
        _ name: String,
        _ configuration: CodecConfiguration,
        encryption: CounterMode? = nil
    ) async throws -> String {
        var output = InitializationSection(
            configuration: configuration,
            timescale: timescale,
            encryption: encryption.map { TrackEncryption(keyID: $0.keyID, scheme: .cenc) }
        ).encode()
        var vector = Bytes16(high: .max - 1, low: 1 << 20)
        for fragment in fragments {
            var vectors: [Bytes16] = []
            var samples: [FragmentSample] = []
            for sample in fragment.samples {
                let clear = try #require(bytes.getSlice(at: sample.range.lowerBound, length: sample.size))
                let subsamples = encryption?.subsamples(of: sample.size) ?? []
                let payload = try await encryption?.encrypt(clear, vector: vector) ?? clear
                vectors.append(vector)
                vector = Bytes16(high: vector.high &+ 1, low: vector.low &+ 1 << 20)
                samples.append(
                    FragmentSample(
                        duration: sample.duration,
                        compositionOffset: Int32(clamping: sample.compositionOffset),
                        isSync: sample.isSync,
                        payload: payload,
                        subsamples: subsamples
                    )
                )
            }
            let written = MovieFragment(
                sequenceNumber: fragment.sequenceNumber,
                baseMediaDecodeTime: fragment.baseMediaDecodeTime,
                samples: samples,
                encryption: encryption.map { _ in .vectors(vectors) },
                startsSegment: true
            )
            output.writeImmutableBuffer(written.encode().bytes)
        }
        let url = file.deletingLastPathComponent().appending(path: name)
        try Data(output.readableBytesView).write(to: url)
        return url.path
    }
}

/// AES in counter mode by the `openssl` command: scheme `cenc` without anything of this packager.
struct CounterMode {
    let keyID: KeyID
    let key: Bytes16
    /// Bytes at a sample's start that stay clear; 0 is for audio, which has no subsamples.
    let clearBytes: Int
    /// For what goes to the command and comes back.
    let folder: URL

    /// ISO/IEC 23001-7 § 9.5.1: the clear bytes take what is left over from whole blocks.
    func subsamples(of size: Int) -> [Subsample] {
        guard clearBytes > 0 else { return [] }
        let protectedBytes = max(0, size - clearBytes) / 16 * 16
        return [Subsample(clearBytes: UInt16(size - protectedBytes), protectedBytes: UInt32(protectedBytes))]
    }

    func encrypt(_ payload: ByteBuffer, vector: Bytes16) async throws -> ByteBuffer {
        let clear = subsamples(of: payload.readableBytes).first.map { Int($0.clearBytes) } ?? 0
        let (input, output) = (folder.appending(path: "sample"), folder.appending(path: "sample.encrypted"))
        try Data(payload.readableBytesView.dropFirst(clear)).write(to: input)
        try await Program.finish(
            "openssl",
            [
                "enc", "-aes-128-ctr", "-K", key.hex, "-iv", vector.hex, "-in", input.path,
                "-out", output.path,
            ]
        )
        var encrypted = ByteBuffer(bytes: payload.readableBytesView.prefix(clear))
        encrypted.writeBytes(try Data(contentsOf: output))
        return encrypted
    }
}

extension Program {
    /// A program said that it could not do it, in its own words.
    struct Refusal: Error {
        let arguments: [String]
        let words: String
    }

    /// Runs a program whose output is a file.
    ///
    /// - Throws: ``Refusal`` if its exit code is not 0.
    static func finish(_ executable: String, _ arguments: [String]) async throws {
        let program = try Program(executable, arguments)
        guard await program.exitCode() == 0 else { throw Refusal(arguments: arguments, words: program.errors) }
    }
}
