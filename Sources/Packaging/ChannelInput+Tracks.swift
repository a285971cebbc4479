import Codecs
import MediaCore
import Synchronization
import Timeline

/// The tracks of an input, each with its reader and its place.
extension ChannelInput {
    /// Takes a reader and a place for each track; readers of tracks that are as they were go on.
    func findPlaces(_ state: inout State) {
        let placeCount = channel.placeCount.load(ordering: .relaxed)
        guard let places = channel.places(for: state.described, of: id) else { return }
        state.placeCount = placeCount
        let before = state.tracks ?? [:]
        var tracks: [Int: Track] = [:]
        for (track, place) in places {
            if let old = before[track.index], old.description.isReadLike(track), old.place == place {
                tracks[track.index] = old
                continue
            }
            do throws(CodecError) {
                guard
                    let reader = try TrackReader(
                        track: track,
                        wantsSubsamples: channel.wantsSubsamples,
                        wantsTimecode: channel.configuration.clock == .timecode
                    )
                else {
                    continue
                }
                tracks[track.index] = Track(description: track, reader: reader, place: place)
            } catch {
                channel.report("track \(track.index) is left out: \(error)", input: id)
            }
        }
        state.tracks = tracks
        state.leader = tracks.values.filter { $0.description.kind == .video }.map(\.description.index).min()
        state.leader = state.leader ?? tracks.keys.min()
    }
}

extension InputTrack {
    /// Whether one reader can read both: the frame rate is an estimate that changes nothing.
    fileprivate func isReadLike(_ other: InputTrack) -> Bool {
        index == other.index && codec == other.codec && header == other.header
    }
}
