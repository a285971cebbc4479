import Files
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation

/// Answers with files of finished assets.
extension OriginResponder {
    func recording(_ request: Request, _ path: Substring, channel name: Substring) -> Reply {
        guard let channel = channels[name], let files = channel.recordings else { return .answer(notFound) }
        let viewer = request.viewer(of: channel.name)
        counters.mediaRequested(by: viewer.hash, viewer.report, of: channel.name)
        return .reading { [self] in
            do throws(FileError) {
                guard let count = try files.byteCount(of: path) else { return notFound }
                if path.hasSuffix(Self.playlistSuffix) {
                    return playlist(request, try files.read(String(path), 0..<count))
                }
                let resource = Self.resource(path, count, files)
                return try ResourceAnswer.answer(to: request, with: resource, cacheControl: Self.lasting)
            } catch {
                return Rejection(.serviceUnavailable, "the recording cannot be read at the moment").answer()
            }
        }
    }

    /// The answer with a playlist, which Apple's authoring specification § 10 wants compressed.
    private func playlist(_ request: Request, _ text: ByteBuffer) -> Answer {
        let answer = ResourceAnswer.answer(
            to: request,
            withPlaylist: PlaylistText(text: String(buffer: text)),
            AcceptEncoding(request["Accept-Encoding"]),
            contentType: Resource.playlistType,
            cacheControl: Self.lasting
        )
        if request.method == .HEAD { return answer }
        return LongAnswers.shared.admit(answer)
            ?? Rejection(.serviceUnavailable, "too many long playlists at once").answer(["Retry-After": "1"])
    }

    private static var playlistSuffix: String { ".m3u8" }

    /// An edit has a URL of its own, but an asset may be removed: a day is enough for caches.
    private static var lasting: String { "public, max-age=86400, immutable" }

    private static func resource(_ path: Substring, _ count: Int, _ files: any RecordingFiles) -> Resource {
        // What is at a path never changes, so that the path tells it from all others.
        let hash = ContentHash(of: ByteBuffer(substring: path))
        return Resource(
            kind: path.hasSuffix(".mp4") && path.contains("/init-") ? .initialization : .segment,
            body: .stored(StoredBody(path: String(path), byteCount: count, store: files)),
            contentType: contentType(of: path),
            entityTag: "\"\(hash)-\(count)\""
        )
    }

    private static func contentType(of path: Substring) -> String {
        switch path.split(separator: ".").last {
        case "json"?: "application/json"
        case "jpg"?: "image/jpeg"
        case "mp4"?: "video/mp4"
        // The kind of a rendition is not known here; players go by what the playlists say.
        case let suffix?: SegmentFormat(rawValue: String(suffix))?.contentType(of: .video) ?? "application/octet-stream"
        case nil: "application/octet-stream"
        }
    }
}
