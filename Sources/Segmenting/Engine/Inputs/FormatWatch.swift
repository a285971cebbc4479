import MediaCore

/// Finds where an input changes what it sends: another codec, size, frame rate, sample rate or number of channels.
struct FormatWatch: Sendable {
    enum News: Hashable, Sendable {
        case changed(from: String, to: String)
        /// It has changed several times within a minute, most lately so; not told again for a minute.
        case changesAgainAndAgain(from: String, to: String)
    }

    private var formats: [TrackIndex: CodecConfiguration] = [:]
    /// The time of the latest look at each track, in UTC.
    private var looked: [TrackIndex: MediaTime] = [:]
    /// When changes were told, within the last minute.
    private var told: [MediaTime] = []

    private static let period = MediaTime(seconds: 60)
    /// An operator changes an encoder a few times a minute at most.
    private static let most = 4

    /// Every frame of audio is a sync sample, and comparing formats costs as much as the rest of a packet.
    private static let pause = MediaTime(milliseconds: 500)

    /// A sync sample came.
    ///
    /// - Parameters:
    ///   - configuration: What it is of.
    ///   - place: The track that it belongs to, of the channel's.
    ///   - now: UTC.
    /// - Returns: What has changed, if that is to be told.
    mutating func received(_ configuration: CodecConfiguration, place: TrackIndex, at now: MediaTime) -> News? {
        if let latest = looked[place], now - latest < Self.pause, now >= latest { return nil }
        looked[place] = now
        let before = formats[place]
        guard before != configuration else { return nil }
        formats[place] = configuration
        guard let from = before?.summary, let to = configuration.summary, from != to else { return nil }
        told.removeAll { now - $0 >= Self.period }
        guard told.count < Self.most else { return nil }
        told.append(now)
        if told.count < Self.most { return .changed(from: from, to: to) }
        told = Array(repeating: now, count: Self.most)
        return .changesAgainAndAgain(from: from, to: to)
    }
}

extension CodecConfiguration {
    /// What an operator knows a format by: `h264 1280x720 50 fps`, `aac 48 kHz 2 channels`; nil of text.
    var summary: String? {
        if let picture {
            let rate = picture.frameRate.map { " \($0.decimal) fps" } ?? ""
            return "\(codecName) \(picture.width)x\(picture.height)\(rate)"
        }
        guard let audio else { return nil }
        let rate = Ratio(audio.sampleRate, 1_000).decimal
        return "\(codecName) \(rate) kHz \(audio.channels) \(audio.channels == 1 ? "channel" : "channels")"
    }

    private var codecName: String {
        switch self {
        case .avc: "h264"
        case .aac: "aac"
        default: family ?? "text"
        }
    }
}

extension Ratio {
    /// To a hundredth, without zeros at its end: `25`, `29.97`, `44.1`.
    fileprivate var decimal: String {
        guard denominator > 0 else { return "\(numerator)" }
        let hundredths = (Double(numerator) / Double(denominator) * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
