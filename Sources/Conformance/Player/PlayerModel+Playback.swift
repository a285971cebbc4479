import MediaCore
import Playlists

extension PlayerModel {
    /// The ranges that all tracks hold.
    private var playable: BufferedRanges {
        guard let first = tracks.first else { return BufferedRanges() }
        return tracks.dropFirst().reduce(first.buffer) { $0.intersection($1.buffer) }
    }

    /// Plays up to `time`; a step back is ignored.
    mutating func advance(to time: MediaTime) {
        while now < time {
            let stop = min(time, nextSampleAt)
            play(to: stop)
            if now >= nextSampleAt {
                sample()
                nextSampleAt += samplePeriod
            }
        }
    }

    private mutating func play(to time: MediaTime) {
        while case .playing = state, let playhead, now < time {
            guard let range = playable.range(at: playhead) else {
                starve()
                continue
            }
            let step = min(time - now, range.upperBound - playhead)
            now += step
            move(to: playhead + step)
        }
        // The last media may have played out exactly now; it is a stall only if nothing more comes in this instant.
        if case .playing = state, let playhead, playable.range(at: playhead) == nil { starve() }
        if state == .stalled(since: now), now < time { enter(.stalled) }
        now = time
    }

    /// The media under the playhead has run out.
    private mutating func starve() {
        guard let playhead else { return }
        if let main = tracks.first, let playlist = main.playlist, playlist.isEnded,
            let last = main.timeline.range(of: playlist.end.previous),
            playhead + BufferedRanges.tolerance >= last.upperBound
        {
            state = .ended
            enter(.ended)
        } else if let range = playable.range(after: playhead) {
            jump(to: range.lowerBound, .hole)
        } else {
            state = .stalled(since: now)
        }
    }

    private mutating func jump(to position: MediaTime, _ reason: ViewerReport.JumpReason) {
        guard let playhead else { return }
        enter(.jumped(by: position - playhead, reason))
        move(to: position)
    }

    private mutating func move(to position: MediaTime) {
        playhead = position
        for index in tracks.indices {
            for mark in tracks[index].marksPassed(upTo: position) { enter(.passed(mark.kind, tracks[index].track)) }
            tracks[index].playheadMoved(to: position)
        }
    }

    /// A buffer holds more: playback starts, or continues.
    mutating func bufferGrew() {
        guard let playhead else { return }
        let range = playable.range(at: playhead) ?? playable.range(after: playhead)
        guard let range else { return }
        switch state {
        case .playing, .ended: break
        case .starting:
            // If the first segments are gaps, playback starts behind them.
            state = .playing
            enter(.started(after: elapsed))
            move(to: max(playhead, range.lowerBound))
        case .stalled(let since):
            state = .playing
            if now > since { enter(.resumed(after: now - since)) }
            if range.lowerBound > playhead + BufferedRanges.tolerance { jump(to: range.lowerBound, .hole) }
        }
    }

    /// The main playlist has another window.
    mutating func windowMoved() {
        guard let position = livePosition else { return }
        guard let playhead else {
            self.playhead = position
            return
        }
        // hls.js goes back to the live edge only once the playhead is neither playing nor in the window.
        guard let windowStart, playhead < windowStart, playable.range(after: playhead) == nil else { return }
        switch state {
        case .starting: self.playhead = position
        case .stalled: jump(to: position, .resynchronized)
        case .playing, .ended: return
        }
        for index in tracks.indices { tracks[index].seeked() }
    }

    private mutating func sample() {
        let date = playhead.flatMap { tracks.first?.timeline.date(at: $0) }
        let ahead = playhead.flatMap { playhead in playable.range(at: playhead).map { $0.upperBound - playhead } }
        let isPlaying = state == .playing
        record.samples.append(
            SampleSeries.Point(
                at: now.milliseconds,
                latency: record.startup == nil ? nil : date.map { (now - $0).milliseconds },
                buffer: (ahead ?? .zero).milliseconds,
                playlistAge: tracks.compactMap(\.age.gainedAt).min().map { (now - $0).milliseconds },
                isPlaying: isPlaying
            )
        )
    }
}
