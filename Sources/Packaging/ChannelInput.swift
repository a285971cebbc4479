import Codecs
package import MediaCore
import Synchronization
import Timeline

/// One input of a channel: receives its packets on the reader's thread, reads them and places them on the timeline.
package final class ChannelInput: InputConsumer {
    private let channel: Channel
    private let index: Int
    private let state: Mutex<State>

    private struct State {
        var timeline: InputTimeline
        /// By the container's track index: the reader and the track's place in the channel.
        var tracks: [Int: (reader: TrackReader, place: Int)] = [:]
        /// The track that a stored feed is anchored on.
        var leader: Int?
        var held: [(track: Int, unit: TrackReader.Unit, times: SampleTimes, arrival: MediaTime)] = []
    }

    /// More samples than a server's burst has; beyond it the oldest go.
    private static let mostHeld = 20_000

    init(channel: Channel, index: Int, source: ClockSource, pace: InputPace, grid: SegmentGrid) {
        self.channel = channel
        self.index = index
        state = Mutex(State(timeline: InputTimeline(source: source, pace: pace, grid: grid)))
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        let now = channel.clock.now
        let places = channel.inputOpened(index, tracks: tracks)
        var problems: [String] = []
        state.withLock { state in
            state.timeline.opened(timestampModulus: timestampModulus, now: now)
            state.held.removeAll()
            state.tracks = [:]
            for (track, place) in places {
                do throws(CodecError) {
                    let wantsSubsamples = channel.wantsSubsamples
                    if let reader = try TrackReader(track: track, wantsSubsamples: wantsSubsamples) {
                        state.tracks[track.index] = (reader, place)
                    }
                } catch {
                    problems.append("track \(track.index): \(error)")
                }
            }
            let leader = places.first { $0.track.kind == .video } ?? places.first
            state.leader = leader?.track.index
        }
        for problem in problems { channel.report(problem) }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let arrival = channel.clock.now
        // The channel's lock is taken inside this one and never the other way around.
        state.withLock { state in
            guard let place = state.tracks[packet.trackIndex]?.place else { return }
            let units: [TrackReader.Unit]
            do throws(CodecError) {
                units = try state.tracks[packet.trackIndex]?.reader.read(payload) ?? []
            } catch {
                channel.record(RepairLog.unreadablePacket)
                return
            }
            guard let first = units.first else { return }
            let canAnchor = packet.trackIndex == state.leader && first.isSync
            let reception = state.timeline.received(packet, canAnchor: canAnchor, arrival: arrival)
            for repair in state.timeline.takeRepairs() { channel.record(repair.rawValue) }
            switch reception {
            case .dropped:
                break
            case .placed(let times):
                for unit in units { deliver(unit, times, place, state.timeline.utcOffset, arrival) }
            case .held(let times):
                for unit in units { state.held.append((place, unit, times, arrival)) }
                if state.timeline.isAnchored {
                    for held in state.held {
                        let times = state.timeline.place(held.times)
                        deliver(held.unit, times, held.track, state.timeline.utcOffset, held.arrival)
                    }
                    state.held.removeAll()
                } else if state.held.count > Self.mostHeld {
                    state.held.removeFirst(Self.mostHeld / 2)
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
