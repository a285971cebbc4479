import MediaCore
import Timeline

extension TrackSource.Cutter {
    init(_ kind: MediaKind, _ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        self =
            switch kind {
            case .video: .video(VideoCutter(plan, horizon: horizon))
            case .audio: .audio(AudioCutter())
            case .text(let format): .text(TextCutter(format))
            }
    }
}

extension TrackSource {
    /// Lends the video cutter; nil if there is none.
    ///
    /// The cutter is taken out meanwhile, since a second owner of its samples would make each append copy them all.
    @discardableResult
    mutating func withVideo<Result>(_ body: (inout VideoCutter) -> Result) -> Result? {
        guard case .video(var lent) = cutter else { return nil }
        cutter = .audio(AudioCutter())
        defer { cutter = .video(lent) }
        return body(&lent)
    }

    /// Lends the audio cutter; nil if there is none.
    @discardableResult
    mutating func withAudio<Result>(_ body: (inout AudioCutter) -> Result) -> Result? {
        guard case .audio(var lent) = cutter else { return nil }
        cutter = .audio(AudioCutter())
        defer { cutter = .audio(lent) }
        return body(&lent)
    }

    /// Lends the text cutter; nil if there is none.
    @discardableResult
    mutating func withText<Result>(_ body: (inout TextCutter) -> Result) -> Result? {
        guard case .text(var lent) = cutter else { return nil }
        cutter = .audio(AudioCutter())
        defer { cutter = .text(lent) }
        return body(&lent)
    }
}
