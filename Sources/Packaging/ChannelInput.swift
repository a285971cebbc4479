import Codecs
package import MediaCore
import Synchronization
import Timeline

/// One input of a channel: receives its packets on the reader's thread, reads them and places them on the timeline.
package final class ChannelInput: InputConsumer {
    private let channel: Channel
    private let index: Int
    private let pace: InputPace
    /// Taken by the reader's thread alone, and before the channel's own lock.
    private let state: Mutex<State>

    private struct State {
        var timeline: InputTimeline
        var described: [InputTrack] = []
        /// By the container's track index; nil as long as the channel has no places for tracks.
        var tracks: [Int: Track]?
        /// The track that a stored feed is anchored on.
        var leader: Int?
        var held: [(place: Int, unit: TrackReader.Unit, times: SampleTimes, arrival: MediaTime)] = []
    }

    private struct Track {
        var description: InputTrack
        var reader: TrackReader
        var place: Int
    }

    /// More samples than a server's burst has; beyond it the oldest go.
    private static let mostHeld = 20_000

    init(channel: Channel, index: Int, source: ClockSource, pace: InputPace, grid: SegmentGrid) {
        self.channel = channel
        self.index = index
        self.pace = pace
        state = Mutex(State(timeline: InputTimeline(source: source, pace: pace, grid: grid)))
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        let began = channel.inputOpened(index, tracks: tracks, pace: pace)
        state.withLock { state in
            if let began {
                state.timeline.opened(timestampModulus: timestampModulus, now: began)
                state.held.removeAll()
                state.tracks = nil
            }
            state.described = tracks
            findPlaces(&state)
        }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let arrival = channel.clock.now
        state.withLock { state in
            // The channel may still wait for other inputs.
            if state.tracks == nil { findPlaces(&state) }
            guard let units = read(packet, payload, &state), let first = units.first else { return }
            let canAnchor = packet.trackIndex == state.leader && first.isSync
            let reception = state.timeline.received(packet, canAnchor: canAnchor, arrival: arrival)
            for repair in state.timeline.takeRepairs() { channel.record(repair.rawValue) }
            guard let place = state.tracks?[packet.trackIndex]?.place else { return }
            if state.timeline.isAnchored, !state.held.isEmpty { deliverHeld(&state) }
            switch reception {
            case .dropped:
                break
            case .placed(let times):
                for unit in units { deliver(unit, times, place, state.timeline.utcOffset, arrival) }
            case .held(let times):
                for unit in units { state.held.append((place, unit, times, arrival)) }
                if state.timeline.isAnchored { deliverHeld(&state) }
                if state.held.count > Self.mostHeld {
                    state.held.removeFirst(Self.mostHeld / 2)
                    channel.record(RepairLog.heldTooLong)
                }
            }
        }
    }

    package func inputLost(reason: String) {
        channel.inputLost(index, reason: reason)
    }

    package func inputEnded() {
        channel.inputEnded(index)
    }
}

extension ChannelInput {
    /// The packet's samples; nil if it is not wanted or makes none.
    private func read(_ packet: PacketInfo, _ payload: RawSpan, _ state: inout State) -> [TrackReader.Unit]? {
        guard let place = state.tracks?[packet.trackIndex]?.place else { return nil }
        do throws(CodecError) {
            let units = try state.tracks?[packet.trackIndex]?.reader.read(packet, payload)
            guard packet.isCorrupt else { return units }
            // A damaged picture may stop a player; where one is missing, Chromium goes on.
            channel.record(RepairLog.damagedPacket)
            if units?.contains(where: \.isSync) == true { channel.inputDamaged(track: place) }
        } catch {
            channel.record(RepairLog.unreadablePacket)
        }
        return nil
    }

    /// Takes a reader and a place for each track; readers of tracks that are as they were go on.
    private func findPlaces(_ state: inout State) {
        guard let places = channel.places(for: state.described, of: index) else { return }
        let before = state.tracks ?? [:]
        var tracks: [Int: Track] = [:]
        for (track, place) in places {
            if let old = before[track.index], old.description.isReadLike(track), old.place == place {
                tracks[track.index] = old
                continue
            }
            do throws(CodecError) {
                guard let reader = try TrackReader(track: track, wantsSubsamples: channel.wantsSubsamples) else {
                    continue
                }
                tracks[track.index] = Track(description: track, reader: reader, place: place)
            } catch {
                channel.report("track \(track.index) is left out: \(error)", input: index)
            }
        }
        state.tracks = tracks
        state.leader = tracks.values.filter { $0.description.kind == .video }.map(\.description.index).min()
        state.leader = state.leader ?? tracks.keys.min()
    }

    private func deliverHeld(_ state: inout State) {
        for held in state.held {
            let times = state.timeline.place(held.times)
            deliver(held.unit, times, held.place, state.timeline.utcOffset, held.arrival)
        }
        state.held.removeAll()
    }

    private func deliver(
        _ unit: TrackReader.Unit,
        _ times: SampleTimes,
        _ place: Int,
        _ utcOffset: MediaTime,
        _ arrival: MediaTime
    ) {
        let sample = Sample(
            decodeTime: times.decode + unit.delay,
            presentationTime: times.presentation + unit.delay,
            isSync: unit.isSync,
            payload: unit.payload,
            subsamples: unit.subsamples
        )
        channel.received(
            sample,
            input: index,
            track: place,
            configuration: unit.configuration,
            utcOffset: utcOffset,
            arrival: arrival
        )
    }
}

extension InputTrack {
    /// Whether one reader can read both: the frame rate is an estimate that changes nothing.
    fileprivate func isReadLike(_ other: InputTrack) -> Bool {
        index == other.index && codec == other.codec && header == other.header
    }
}
