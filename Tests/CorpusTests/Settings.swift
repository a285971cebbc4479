import MediaCore

/// The settings of a channel of the corpus; times are milliseconds.
struct Settings: Sendable {
    enum Encryption: String, CaseIterable {
        case none
        case aes128 = "aes-128"
        /// AES-128 with encrypted initialization sections.
        case aes128WithInit = "aes-128-init"
        case sampleAES = "sample-aes"
        case sampleAESCounterMode = "sample-aes-ctr"
    }

    /// The time when the scenario begins, in seconds since 1970: a slot begins there, too.
    var epoch: Int64 = 1_795_000_000
    var format = StreamFormat.fmp4
    var encryption = Encryption.none
    /// Slots in a crypto period; nil if keys never change.
    var rotation: Int64? = 3
    /// Slots that go out in the clear at the beginning.
    var clearLead: Int64 = 0
    /// True if media playlists announce the key after the current one.
    var hintsKeys = false
    /// Slots, counted from the beginning, in which what writes a rendition fails.
    var failures: [String: ClosedRange<Int64>] = [:]
    var clock = ClockSource.pts
    var segmentDuration: Int64 = 2_000
    var window: Int64 = 12_000
    var inputs = 1
    var backups = 0
    var failback: Int64 = 4_000
    var onLoss = OnLoss.gap
    /// True if inputs are read as fast as they can be.
    var isStored = false
    var audio: [AudioAttributes] = []
    /// INSTREAM-IDs of captions that are declared unseen.
    var captions: [String] = []
    /// The tags that tell of advertisements besides date ranges.
    var cueOutTags = CueOutTags.none
    /// True if segments tell of splices themselves.
    var hasSpliceMessages = false
    /// The interstitials that players play in place of breaks.
    var interstitials: [InterstitialTemplate] = []
    /// Subtitles that come beside the feeds.
    var subtitles: [SubtitleAttributes] = []
    var subtitleFormats: [TextFormat] = [.webVTT]
    /// Peak BANDWIDTH by rendition.
    var bandwidths: [String: Int] = [:]
    /// Bytes that window and retention may take.
    var maximumBytes = 100_000_000
    /// The time for which a picture may stand still, or silence last; nil if nobody looks.
    var patienceWithContent: Int64?
    /// The conditions on which playlists are refused.
    var failOn: [FailureCondition] = []
    var staleAfter: Int64 = 0
    /// True if a journal is kept.
    var hasJournal = false
    /// True if published files are written to a directory, too.
    var hasOutput = false
}
