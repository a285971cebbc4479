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
        let work: @Sendable () -> Answer = { [self] in recording(request, path, of: channel, files) }
        guard path.hasSuffix(Self.playlistSuffix) else { return .reading(on: share.readers, work) }
        let asked = MediaRequest(request: request, channel: channel, path: path)
        return reading(asked, needing: { $0.unknownPeriods(ofKeysAt: files.slotsOfKeys(for: path)) }, work)
    }

    private func recording(
        _ request: Request,
        _ path: Substring,
        of channel: OriginChannel,
        _ files: any RecordingFiles
    ) -> Answer {
        do throws(FileError) {
            guard let count = try files.byteCount(of: path) else { return notFound }
            if path.hasSuffix(Self.playlistSuffix) {
                let name = CompressedPlaylists.Name(channel: channel.name, path: String(path), byteCount: count)
                return try playlist(request, name, files)
            }
            let resource = Self.resource(path, count, files)
            return try ResourceAnswer.answer(
                to: request,
                with: resource,
                cacheControl: cacheControl(of: path, files),
                by: share.readers
            )
        } catch {
            return Rejection(.serviceUnavailable, "the recording cannot be read at the moment").answer()
        }
    }

    /// Answers with a playlist, which Apple's authoring specification § 10 wants compressed.
    private func playlist(
        _ request: Request,
        _ name: CompressedPlaylists.Name,
        _ files: any RecordingFiles
    ) throws(FileError) -> Answer {
        let accepted = AcceptEncoding(request["Accept-Encoding"])
        let known = accepted.allowsGzip ? share.playlists.known(name) : nil
        // Memory holds the text that was read, and its compressed form while that is made.
        let byteCount = known?.body.readableBytes ?? 2 * name.byteCount
        guard let room = share.texts.room(for: byteCount, of: request.network) else { return tooManyPlaylists }
        func text() throws(FileError) -> ByteBuffer { try files.read(name.path, 0..<name.byteCount) }
        var gzip = known
        if gzip == nil, accepted.allowsGzip { gzip = try share.playlists.form(of: name, text) }
        guard accepted.allowsIdentity || gzip != nil else { return ResourceAnswer.notAcceptable }
        let form = if let gzip { gzip } else { PlaylistForm(try text()) }
        let cacheControl = cacheControl(of: Substring(name.path), files)
        let answer = ResourceAnswer.answer(to: request, with: form, cacheControl: cacheControl)
        return share.texts.admit(answer, in: room) ?? tooManyPlaylists
    }

    private static var playlistSuffix: String { ".m3u8" }

    /// An edit has a URL of its own, but an asset may be removed: caches keep it for a day, and not beyond its expiry.
    private func cacheControl(of path: Substring, _ files: any RecordingFiles) -> String {
        let rest = files.expiry(of: path).map { max(Int64(($0 - now()).seconds), 0) }
        guard let rest, rest < Self.longestCaching else {
            return "public, max-age=\(Self.longestCaching), immutable"
        }
        return "public, max-age=\(rest)"
    }

    private static let longestCaching: Int64 = 86_400

    private static func resource(_ path: Substring, _ count: Int, _ files: any RecordingFiles) -> Resource {
        // The content of a path never changes, so a hash of the path serves as its entity tag.
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
        // The kind of a rendition is not known here; players follow the playlists.
        case let suffix?: SegmentFormat(rawValue: String(suffix))?.contentType(of: .video) ?? "application/octet-stream"
        case nil: "application/octet-stream"
        }
    }
}
