import HTTPServing
import MediaCore
import NIOHTTP1
import Playlists
import Presentation

/// Filtered multivariant playlists, for devices that cannot play all variants.
extension OriginResponder {
    /// The reply to a request whose query filters a multivariant playlist; nil if it does not.
    func filtered(_ asked: MediaRequest, _ resource: Resource, _ text: PlaylistText, now: MediaTime) -> Reply? {
        guard resource.kind == .multivariantPlaylist, let query = asked.request.target.query,
            MultivariantFilter.mayBe(in: query)
        else { return nil }
        let (request, channel) = (asked.request, asked.channel)
        let filter: MultivariantFilter
        do {
            filter = try MultivariantFilter(query: query)
        } catch {
            return .answer(rejection(error, channel))
        }
        if filter.isEmpty { return nil }
        if let known = channel.media.filtered.known(filter, of: text) {
            return playlist(request, channel, resource, known, now: now)
        }
        return .work { [self] in
            do {
                let filtered = try channel.media.filtered.text(filter, of: text)
                let cacheControl = channel.policy.cacheControl(resource, now: now)
                let accepted = AcceptEncoding(request["Accept-Encoding"])
                return answer(request, channel, resource, filtered, accepted, cacheControl, now: now)
            } catch {
                return (error as? FilterError).map { rejection($0, channel) }
                    ?? Rejection(.internalServerError).answer()
            }
        }
    }

    /// A filter that means nothing never will; one that leaves nothing may leave something soon.
    func rejection(_ error: FilterError, _ channel: OriginChannel) -> Answer {
        let cacheControl = channel.policy.cacheControl(.expired)
        let status: HTTPResponseStatus = error == .nothingLeft ? .notFound : .badRequest
        return Rejection(status, error.description, cacheControl: cacheControl).answer()
    }
}
