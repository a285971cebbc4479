import MediaCore

/// A fault between an encoder's camera and the packager.
enum Fault: Hashable, Sendable {
    /// The encoder stops; when the fault is over, it starts again on the same timeline.
    case encoderKilled
    /// The last picture that is not a key frame is sent again and again, with new timestamps; audio as well, or continues.
    case encoderFrozen(freezesAudio: Bool)
    /// The encoder's source is frozen: it keeps encoding the same picture.
    case sourceFrozen
    /// The encoder is fed silence.
    case sourceSilent
    /// The cable is pulled: the encoder runs on, but nothing arrives.
    case packetsStop
    /// Some are lost, by chance.
    case loss(rate: Double, of: TransportUnit)
    /// Some datagrams arrive after so many that were sent after them.
    case reordering(rate: Double, distance: Int)
    /// Some datagrams arrive twice.
    case duplication(rate: Double)
    /// Packets are held back, and then sent at once.
    case stall
    /// Timestamps and the clock reference jump, unannounced, and continue from there.
    case timestampJump(by: MediaTime)
    /// Timestamps are such from the start on that decode timestamps wrap at this time.
    case timestampWrap
    /// The encoder's clock runs fast, or slow if negative.
    case clockDrift(partsPerMillion: Int64)
    /// The encoder is killed; after the fault it starts again with unrelated timestamps.
    case restart
    /// Another sample is encoded instead, with what parameters it has, from its next key frame on.
    case configurationChange(samplePath: String)
    /// The program map announces it, but nothing comes: of one audio track, counted from 0, or of all.
    case audioLost(track: Int?)
    /// The program map announces it, but nothing comes.
    case videoLost

    /// The possible drifts in parts per million, from half the speed of time to twice that.
    static let drifts: ClosedRange<Int64> = -500_000...1_000_000

    /// The unit that is lost as one.
    enum TransportUnit: String, Hashable, Sendable {
        /// Seven packets.
        case datagrams
        /// 188 bytes.
        case packets
    }
}

extension Fault: CustomStringConvertible {
    /// The name in scenarios.
    var name: String {
        switch self {
        case .encoderKilled: "encoder-killed"
        case .encoderFrozen: "encoder-frozen"
        case .sourceFrozen: "source-frozen"
        case .sourceSilent: "source-silent"
        case .packetsStop: "packets-stop"
        case .loss: "loss"
        case .reordering: "reordering"
        case .duplication: "duplication"
        case .stall: "stall"
        case .timestampJump: "timestamp-jump"
        case .timestampWrap: "timestamp-wrap"
        case .clockDrift: "clock-drift"
        case .restart: "restart"
        case .configurationChange: "configuration-change"
        case .audioLost: "audio-lost"
        case .videoLost: "video-lost"
        }
    }

    /// Every ``name``.
    static let names = [
        "encoder-killed", "encoder-frozen", "source-frozen", "source-silent", "packets-stop", "loss", "reordering",
        "duplication", "stall",
        "timestamp-jump", "timestamp-wrap", "clock-drift", "restart", "configuration-change", "audio-lost",
        "video-lost",
    ]

    var description: String {
        switch self {
        case .encoderFrozen(true): "\(name) with audio"
        case .loss(let rate, let unit): "\(name) of \(Self.percent(rate)) of \(unit.rawValue)"
        case .reordering(let rate, let distance): "\(name) of \(Self.percent(rate)) by \(distance)"
        case .duplication(let rate): "\(name) of \(Self.percent(rate))"
        case .timestampJump(let step): "\(name) by \(step)"
        case .clockDrift(let partsPerMillion): "\(name) by \(partsPerMillion) ppm"
        case .configurationChange(let path): "\(name) to \(path)"
        case .audioLost(let track?): "\(name) on track \(track)"
        default: name
        }
    }

    private static func percent(_ rate: Double) -> String { "\(rate * 100) %" }
}
