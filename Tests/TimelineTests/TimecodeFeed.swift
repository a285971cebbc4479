import MediaCore
import TestSupport
import Timeline

/// A feed of video with timecode, two B pictures between others, and audio without.
struct TimecodeFeed {
    /// 2026-11-22T00:00:00Z.
    static let midnight = MediaTime(seconds: 1_795_305_600)
    /// 2026-11-21T10:00:00Z, an edge of a grid of four seconds.
    static let edge = MediaTime(seconds: 1_795_219_200 + 36_000)

    /// A picture where the timeline placed it, and what of audio came with it.
    struct Placed {
        var presentation: MediaTime
        var decode: MediaTime
        /// The time that its label means.
        var labelled: MediaTime
        var audio: MediaTime
        var arrival: MediaTime
    }

    var timeline: InputTimeline
    var clocks = ArrivalClocks()
    /// Added to every timestamp, in ticks.
    var base: Int64 = 12_345
    /// Every nth picture has a label; 0 for none.
    var labelEvery = 1
    var statedRate: Ratio
    var latency = MediaTime(milliseconds: 20)
    var hasProducerReferences = false
    private(set) var repairs: [TimelineRepair] = []

    private let rate: Ratio
    private let start: MediaTime
    private var labels: [Timecode] = []
    private var generator: TimecodeLabels
    private var next = 0
    private let jitter: Int64
    private let seed: UInt64
    private var delays: SeededGenerator
    private var shift = MediaTime.zero

    /// `jitter` is the most that timestamps are off, in ticks.
    init(
        rate: Ratio,
        isDropFrame: Bool = false,
        pace: InputPace = .live,
        start: MediaTime = TimecodeFeed.edge,
        from: (Int, Int, Int) = (10, 0, 0),
        jitter: Int64 = 0,
        seed: UInt64 = 1,
        clock: TimecodeClock = TimecodeClock()
    ) {
        timeline = InputTimeline(
            source: .timecode,
            pace: pace,
            grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
            timecode: clock
        )
        self.rate = rate
        statedRate = rate
        self.start = start
        self.jitter = jitter
        self.seed = seed
        delays = SeededGenerator(seed: seed)
        var (hours, minutes, seconds) = from
        if !isDropFrame, rate.denominator == 1001 {
            // Labels that are not dropped go slower than time: this is what they are since midnight.
            let labelled = ((hours * 60 + minutes) * 60 + seconds) * 1000 / 1001
            (hours, minutes, seconds) = (labelled / 3_600, labelled / 60 % 60, labelled % 60)
        }
        generator = TimecodeLabels(rate: rate, isDropFrame: isDropFrame, from: hours, minutes, seconds)
        reopen()
    }

    mutating func reopen() {
        timeline.opened(timestampModulus: 1 << 33, now: time(of: next))
    }

    mutating func skip(frames: Int) {
        next += frames
    }

    mutating func delaySeed(_ seed: UInt64) {
        delays = SeededGenerator(seed: seed)
    }

    /// Labels are so much later from now on.
    mutating func shiftLabels(by shift: MediaTime) {
        self.shift += shift
    }

    /// Sends frames, each with the audio of its time, in order of decoding.
    ///
    /// - Returns: Those that were placed, in order of presentation.
    mutating func run(frames: Int, withAudio: Bool = true) -> [Placed] {
        var placed: [Placed] = []
        var held: [(index: Int, video: SampleTimes, audio: SampleTimes?)] = []
        for decode in next..<next + frames {
            // I0 P3 B1 B2 P6 B4 B5: from the third frame of a run on.
            let offset = decode - next
            let isWhole = offset / 3 * 3 + 2 < frames
            let index = isWhole ? [decode + 2, decode - 1, decode - 1][offset % 3] : decode
            let arrival = time(of: decode) + latency + MediaTime(milliseconds: Int64.random(in: 0...15, using: &delays))
            let video = timeline.received(
                packet(track: 0, presentation: index, decode: decode - 2),
                canAnchor: true,
                arrival: arrival,
                signalled: signal(of: index),
                clocks: &clocks
            )
            var audio: InputTimeline.Reception?
            if withAudio {
                audio = timeline.received(
                    packet(track: 1, presentation: decode, decode: decode),
                    canAnchor: false,
                    arrival: arrival,
                    clocks: &clocks
                )
            }
            repairs += timeline.takeRepairs()
            switch (video, audio) {
            case (.placed(let video), let audio):
                var audioTime = video.presentation
                if case .placed(let times) = audio { audioTime = times.presentation }
                placed.append(make(index, video, audioTime, arrival))
            case (.held(let video), .held(let audio)): held.append((index, video, audio))
            case (.held(let video), _): held.append((index, video, nil))
            case (.dropped, _): break
            }
            if timeline.isAnchored {
                for (index, video, audio) in held {
                    let arrival = time(of: index) + latency
                    guard let video = timeline.place(video, track: 0, arrival: arrival) else { continue }
                    let audioTime = audio.flatMap { timeline.place($0, track: 1, arrival: arrival)?.presentation }
                    placed.append(make(index, video, audioTime ?? video.presentation, arrival))
                }
                held = []
            }
        }
        next += frames
        return placed.sorted { $0.labelled < $1.labelled }
    }

    private mutating func make(
        _ index: Int,
        _ video: SampleTimes,
        _ audio: MediaTime,
        _ arrival: MediaTime
    ) -> Placed {
        Placed(
            presentation: video.presentation,
            decode: video.decode,
            labelled: labelled(index),
            audio: audio,
            arrival: arrival
        )
    }

    private mutating func label(_ index: Int) -> Timecode? {
        while labels.count <= index {
            if let label = generator.label { labels.append(label) }
            generator.advance()
        }
        return labels[index]
    }

    /// The time that a label means, by a formula of its own: whole seconds of labels since midnight, frame by frame.
    private mutating func labelled(_ index: Int) -> MediaTime {
        guard let label = label(index) else { return .zero }
        let minutes = label.hours * 60 + label.minutes
        let nominal = generator.framesPerSecond
        var frame = (minutes * 60 + label.seconds) * nominal + label.frames
        if label.isDropFrame { frame -= nominal / 15 * (minutes - minutes / 10) }
        let doubled = Int128(frame) * 90_000 * Int128(rate.denominator) * 2 + Int128(rate.numerator)
        let today = label.hours == 0 ? Self.midnight : Self.midnight - MediaTime(seconds: 86_400)
        return today + MediaTime(ticks: Int64(doubled / (Int128(rate.numerator) * 2))) + shift
    }

    private mutating func signal(of index: Int) -> SignalledTime? {
        if hasProducerReferences {
            return .producerReference(labelled(index) + MediaTime(ticks: Int64.random(in: -90...90, using: &delays)))
        }
        guard labelEvery > 0, index % labelEvery == 0, let label = label(index) else { return nil }
        let seconds = label.hours * 3_600 + label.minutes * 60 + label.seconds + Int(shift.ticks / 90_000) + 86_400
        return Timecode(
            hours: seconds / 3_600 % 24,
            minutes: seconds / 60 % 60,
            seconds: seconds % 60,
            frames: label.frames,
            isDropFrame: label.isDropFrame,
            frameRate: statedRate
        ).map(SignalledTime.timecode)
    }

    /// The time when a frame is made.
    private func time(of index: Int) -> MediaTime {
        start + MediaTime(Int64(index) * Int64(rate.denominator), timescale: Int64(rate.numerator))
    }

    /// Timestamps as an encoder writes them, rounded down, with jitter that depends on the frame alone.
    private func packet(track: Int, presentation: Int, decode: Int) -> PacketInfo {
        func raw(_ index: Int) -> Int64 {
            let ticks = (Int64(index) * 90_000 * Int64(rate.denominator) - 1) / Int64(rate.numerator) + base
            guard jitter > 0 else { return ticks & (1 << 33 - 1) }
            var noise = SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(index * 2 + track)))
            return (ticks + Int64.random(in: -jitter...jitter, using: &noise)) & (1 << 33 - 1)
        }
        return PacketInfo(
            trackIndex: InputTrackIndex(track),
            presentationTimestamp: raw(presentation),
            decodeTimestamp: raw(decode)
        )
    }
}
