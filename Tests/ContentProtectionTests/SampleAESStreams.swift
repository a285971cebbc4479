import Foundation
import TestSupport

/// Units of elementary streams that FFmpeg has made.
enum ElementaryStream {
    /// The access units of an H.264 stream that has delimiters, each as its NAL units.
    static func accessUnits(_ bytes: [UInt8]) -> [[[UInt8]]] {
        var starts: [Int] = []
        for index in bytes.indices.dropLast(2)
        where bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1 {
            starts.append(index + 3)
        }
        let ends = starts.dropFirst().map { $0 - 3 } + [bytes.count]
        var units: [[[UInt8]]] = []
        for (start, end) in zip(starts, ends) {
            var nalUnit = Array(bytes[start..<end])
            while nalUnit.last == 0 { nalUnit.removeLast() }
            if nalUnit[0] & 0x1F == 9 { units.append([]) }
            units[units.count - 1].append(nalUnit)
        }
        return units
    }

    static func adtsFrames(_ bytes: [UInt8]) -> [[UInt8]] {
        split(bytes) { Int($0[3] & 3) << 11 | Int($0[4]) << 3 | Int($0[5] >> 5) }
    }

    static func frames(_ bytes: [UInt8], size: Int) -> [[UInt8]] {
        split(bytes) { _ in size }
    }

    private static func split(_ bytes: [UInt8], size: ([UInt8]) -> Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = start + size(Array(bytes[start..<min(start + 7, bytes.count)]))
            frames.append(Array(bytes[start..<end]))
            start = end
        }
        return frames
    }
}

/// An ID3v2.4 tag of PRIV frames, which a segment of packed audio begins with.
struct ID3Tag {
    var frames: [(owner: String, data: [UInt8])]

    var bytes: [UInt8] {
        let body = frames.flatMap { frame in
            let content = Array(frame.owner.utf8) + [0] + frame.data
            return Array("PRIV".utf8) + synchsafe(content.count) + [0, 0] + content
        }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
    }

    private func synchsafe(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    }
}

/// A folder with one media playlist of one segment, which FFmpeg plays.
struct EncryptedPresentation: ~Copyable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sample-aes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes a stream with FFmpeg, from a source with these output options.
    func elementaryStream(_ name: String, _ options: [String]) async throws -> [UInt8] {
        let arguments = ["-nostdin", "-y", "-f", "lavfi"] + options + [path(name)]
        try await Program.run("ffmpeg", arguments)
        return try Array(Data(contentsOf: folder.appending(path: name)))
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a segment with its playlist, and the key unless the segment is clear.
    func write(_ segment: [UInt8], as name: String, key: [UInt8]?, iv: [UInt8]) throws {
        try Data(segment).write(to: folder.appending(path: name))
        if let key { try Data(key).write(to: folder.appending(path: "key.bin")) }
        let keyTag = key == nil ? "" : "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key.bin\",IV=0x\(iv.hexDigits)\n"
        let playlist = """
            #EXTM3U
            #EXT-X-VERSION:5
            #EXT-X-TARGETDURATION:3
            \(keyTag)#EXTINF:2,
            \(name)
            #EXT-X-ENDLIST

            """
        try playlist.write(to: folder.appending(path: "media.m3u8"), atomically: true, encoding: .utf8)
    }

    /// MD5 of every decoded picture or block of audio of the playlist, or of a file.
    func decoded(_ stream: String, file: String? = nil) async throws -> [String] {
        let input = file.map { ["-i", path($0)] } ?? ["-allowed_extensions", "ALL", "-i", path("media.m3u8")]
        let frames = folder.appending(path: "frames.md5")
        let options = ["-map", "0:\(stream):0", "-vsync", "passthrough", "-f", "framemd5", frames.path]
        try await Program.run("ffmpeg", ["-nostdin", "-y"] + input + options)
        return try String(contentsOf: frames, encoding: .utf8)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }
}

extension [UInt8] {
    fileprivate var hexDigits: String { map { String(format: "%02x", $0) }.joined() }
}
