import Foundation
import MediaCore
import NIOCore

@testable import Codecs

/// A Core Audio Format file around frames, for FFmpeg to read.
enum CoreAudioFile {
    static func bytes(_ flac: FLACConfiguration, frames: [AudioFrame]) -> [UInt8] {
        let box: [UInt8] = [0, 0, 0, 0] + Array("dfLa".utf8) + [0, 0, 0, 0, 0x80, 0, 0, 34]
        return bytes("flac", CodecConfiguration.flac(flac).audio, cookie: box + flac.streamInfo, frames)
    }

    static func bytes(_ alac: ALACConfiguration, frames: [AudioFrame]) -> [UInt8] {
        bytes("alac", CodecConfiguration.alac(alac).audio, cookie: alac.specificConfig, frames)
    }

    private static func bytes(
        _ name: String,
        _ audio: AudioFormat?,
        cookie: [UInt8],
        _ frames: [AudioFrame]
    ) -> [UInt8] {
        var description = BitWriter()
        description.write64(Double(audio?.sampleRate ?? 0).bitPattern)
        description.bytes(Array(name.utf8))
        for field in [0, 0, 0, audio?.channels ?? 0, 0] { description.write(field, bits: 32) }
        var table = BitWriter()
        table.write64(UInt64(frames.count))
        table.write64(UInt64(frames.reduce(0) { $0 + $1.samples }))
        table.write64(0)
        for frame in frames {
            table.bytes(variable(frame.payload.readableBytes))
            table.bytes(variable(frame.samples))
        }
        let data: [UInt8] = [0, 0, 0, 0] + frames.flatMap { [UInt8]($0.payload.readableBytesView) }
        return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description.bytes) + chunk("kuki", cookie)
            + chunk("pakt", table.bytes) + chunk("data", data)
    }

    private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.bytes(Array(name.utf8))
        writer.write64(UInt64(contents.count))
        return writer.bytes + contents
    }

    /// Seven bits a byte, all but the last with the highest bit set.
    private static func variable(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }
}

extension BitWriter {
    mutating func write64(_ value: UInt64) {
        write(value >> 32, bits: 32)
        write(value & 0xFFFF_FFFF, bits: 32)
    }

    mutating func bytes(_ bytes: [UInt8]) {
        for byte in bytes { write(byte, bits: 8) }
    }
}
