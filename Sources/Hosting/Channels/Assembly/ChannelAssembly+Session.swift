import Files
import Foundation
import KeyServing
import MediaCore
import NIOCore
import Origin
import PackagerConfig
import Playlists
import Presentation

/// The lines of the multivariant playlist that concern the whole channel.
extension ChannelAssembly {
    /// Adds the session data, the start and the steering of a channel to the listing of its playlists.
    func addChannelLines(_ settings: ChannelConfiguration, _ listing: inout Presentation.Configuration) {
        listing.sessionData = settings.sessionData
        if settings.startOffset > .zero {
            listing.start = MultivariantPlaylist.Start(
                offset: -settings.startOffset,
                isPrecise: settings.startsPrecisely
            )
        }
        if !settings.pathways.isEmpty { listing.steering = ChannelSteering.tag }
        guard settings.localizedNames != nil else { return }
        var datum = SessionDatum()
        (datum.id, datum.uri) = (SessionDatum.localizedNamesID, SessionDatum.localizedNamesFile)
        listing.sessionData.append(datum)
    }

    /// Makes the steering of players to pathways; nil without pathways.
    func steering(of settings: ChannelConfiguration) -> ChannelSteering? {
        if settings.pathways.isEmpty { return nil }
        return ChannelSteering(
            settings.pathways.map { ChannelSteering.Pathway(id: $0.id, url: $0.url) },
            ttl: settings.steeringTTL.secondsRoundedUp,
            channel: settings.name
        )
    }

    /// - Returns: The names of renditions in other languages, as JSON; nil if there are none.
    /// - Throws: ``SetupError`` if their file cannot be read.
    func localizedNames(for settings: ChannelConfiguration) throws(SetupError) -> ByteBuffer? {
        guard let path = settings.localizedNames else { return nil }
        let channel = settings.name
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.contents(of: path)
        } catch {
            throw SetupError(
                "localized-names",
                of: channel,
                "\(URL(filePath: path).path) cannot be read: \(error.reason)"
            )
        }
        do {
            // RFC 8216bis Appendix E: by NAME, and then by language.
            let names = try JSONDecoder().decode([String: [String: String]].self, from: Data(bytes))
            return ByteBuffer(bytes: try JSONEncoder.canonical.encode(names))
        } catch {
            throw SetupError(
                "localized-names",
                of: channel,
                "\(path) does not have names by language; write it like " + #"{"English": {"de": "Englisch"}}"#
            )
        }
    }
}
