package import AdSources
package import Files
import HTTPServing
import MediaCore
package import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording

/// Asset lists for breaks, and only for breaks that a playlist announces, so that clients cannot trigger other requests
/// to ad servers.
extension OriginResponder {
    func assetList(_ request: Request, _ id: Substring, channel name: Substring) -> Reply {
        guard let channel = channels[name], let ads = channel.ads else { return .answer(notFound) }
        guard let past = channel.past, past.delay > .zero else {
            return assetList(request, id, channel, ads, in: channel.presentation.dateRanges)
        }
        return .asking { [self] in
            let reply = try? await share.readers.run(for: request.network) { [self] in
                delayedAssetList(request, id, channel, ads, past)
            }
            return reply ?? .answer(busy)
        }
    }

    /// The reply to a request for the asset list of a break of a channel whose viewers are kept behind: their playlists
    /// do not have the breaks of the live window.
    ///
    /// It waits for the disk.
    private func delayedAssetList(
        _ request: Request,
        _ id: Substring,
        _ channel: OriginChannel,
        _ ads: OriginAds,
        _ past: OriginPast
    ) -> Reply {
        let extent = past.recording.extent
        // Nothing shortens the delay.
        guard let section = try? PastSection(.delayed(seconds: 0), in: extent, channel.terms(of: past), now: now())
        else { return .answer(notFound) }
        do {
            let ranges = try past.recording.dateRanges(in: section.numbers)
            return assetList(request, id, channel, ads, in: ranges)
        } catch {
            return .answer(unreadableRecording)
        }
    }

    /// The reply to a request for the asset list of a break that one of the date ranges announces.
    private func assetList(
        _ request: Request,
        _ id: Substring,
        _ channel: OriginChannel,
        _ ads: OriginAds,
        in ranges: [DateRange]
    ) -> Reply {
        guard let adBreak = AdBreak(String(id), of: channel.name, in: ranges) else { return .answer(notFound) }
        let base = ads.baseURL ?? request.address.map { "\($0)/\(channel.name)/ads/" } ?? ""
        let seconds = channel.presentation.configuration.targetDuration
        return .pending {
            guard case .assets(let list) = await ads.decisions.answer(for: adBreak), !list.assets.isEmpty else {
                // RFC 8216bis § D.5: after an error the programme continues at once. An empty list alone has hls.js 1.6
                // wait for as long as the break was planned.
                return Self.answer(AssetList(), cacheControl: "no-store", .notFound)
            }
            var answer = Self.answer(list.resolved(against: base), cacheControl: "public, max-age=\(seconds)", .ok)
            // A cache with several host names must not share answers among them.
            if ads.baseURL == nil { answer.fields.add(name: "Vary", value: "Host, X-Forwarded-Proto") }
            return answer
        }
    }

    private static func answer(_ list: AssetList, cacheControl: String, _ status: HTTPResponseStatus) -> Answer {
        guard let json = try? list.json() else { return Rejection(.internalServerError).answer() }
        let fields = ResponseFields.fields(cacheControl: cacheControl, contentType: "application/json")
        return .ok(fields, ByteBuffer(bytes: json), status: status)
    }

    /// RFC 8216bis Appendix E.
    func localizedNames(channel name: Substring) -> Answer {
        guard let channel = channels[name], let names = channel.localizedNames else { return notFound }
        let seconds = channel.presentation.configuration.targetDuration
        return .ok(
            ResponseFields.fields(cacheControl: "public, max-age=\(seconds)", contentType: "application/json"),
            names
        )
    }

    func adFile(_ request: Request, _ path: Substring, channel name: Substring) -> Reply {
        guard let files = channels[name]?.ads?.files else { return .answer(notFound) }
        return .reading { [self] in
            do {
                guard let count = try files.byteCount(of: path) else { return notFound }
                let (body, hash): (Body, ContentHash)
                if count <= Self.longestAdPlaylist {
                    let bytes = try files.read(path, 0..<count)
                    (body, hash) = (.memory(bytes), ContentHash.whole(of: bytes))
                } else {
                    let stored = StoredBody(path: String(path), byteCount: count, store: files)
                    (body, hash) = (.stored(stored), ContentHash(of: ByteBuffer(substring: path)))
                }
                let resource = Resource(
                    kind: .segment,
                    body: body,
                    contentType: AdFiles.contentType(of: path),
                    entityTag: "\"\(hash)-\(count)\""
                )
                // The file may be replaced.
                let cacheControl = "public, max-age=60"
                return try ResourceAnswer.answer(to: request, with: resource, cacheControl: cacheControl, as: .media)
            } catch {
                return notFound
            }
        }
    }

    /// Bytes: of another playlist as long as the one before all are looked at, of media how many there are.
    private static var longestAdPlaylist: Int { 1 << 16 }
}

extension Request {
    /// The URL that the request was sent to, as its sender writes it; nil if the sender does not say.
    fileprivate var address: String? {
        guard let host = self["Host"],
            host.wholeMatch(of: /[A-Za-z0-9.\-_]+(:[0-9]+)?|\[[0-9A-Fa-f:.]+\](:[0-9]+)?/) != nil
        else { return nil }
        // The scheme of the request to a proxy in front.
        let scheme = self["X-Forwarded-Proto"]?.lowercased() ?? (isSecure ? "https" : "http")
        return (scheme == "https" ? "https://" : "http://") + host
    }
}

extension AdFiles: BodyStore {
    package func holds(_ path: String) -> Bool? { nil }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try read(path[...], range)
    }
}
