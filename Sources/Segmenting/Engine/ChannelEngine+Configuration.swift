package import ContentProtection
package import MediaCore
package import Playlists
package import Timeline

extension ChannelEngine {
    /// What a channel is to do, fixed for its life.
    package struct Configuration: Sendable {
        /// First path component of its URLs.
        package var name: String
        package var grid: SegmentGrid
        package var clock: ClockSource
        /// How ``ClockSource/timecode`` is read.
        package var timecode: TimecodeClock
        /// Whether samples are encrypted, and not whole segments.
        package var isSampleEncrypted: Bool
        /// Which slots share their keys; nil where nothing is encrypted.
        package var cryptoPeriods: CryptoPeriods?
        /// How many slots go out in the clear when the channel first begins.
        package var clearLead: Int64
        /// Which tracks have keys of their own.
        package var keyClasses: KeyClasses
        /// What becomes of segments whose key is not there when they are due.
        package var lateKey: LateKey
        /// Whether players are told of keys before they need them.
        package var offersSessionKeys: Bool
        /// Of which key system media playlists announce the next key; nil for none.
        package var hintedKey: KeySystem?
        /// Fragmented MP4, or transport streams.
        package var format: StreamFormat
        /// The program that is read of inputs that have several; nil if that was left open.
        package var program: Int?
        /// How many inputs will be made.
        package var inputCount: Int
        /// How many will stand by.
        package var backupCount: Int
        /// Whether inputs come as fast as the wall clock; else as fast as they can be read.
        package var isPaced: Bool
        /// What an operator says of audio tracks, in order.
        package var audio: [AudioAttributes]
        /// Subtitles that come beside the feeds.
        package var subtitles: [SubtitleAttributes] = []
        /// What an operator says of text inside feeds.
        package var feedText: [SubtitleAttributes] = []
        /// Which of the words inside feeds become subtitles.
        package var feedSubtitles = FeedSubtitles.none
        /// What is made of each of them; WebVTT at least, which all players have.
        package var subtitleFormats: [TextFormat] = [.webVTT]
        /// Captions that are declared whether any were seen or not.
        package var captions: [MultivariantPlaylist.ClosedCaptions]
        /// How long a better input must have been whole to take back.
        package var failback: MediaTime
        /// What a slot is filled with that no input has media for.
        package var filler: LossFiller
        /// How soon what viewers have of a slot is final; parts are of fragmented MP4.
        package var horizon: CommitHorizon
        /// What of the content counts as a fault.
        package var checks: InputHealth.Checks
        /// An input that brings no media for this long is lost; nil for never.
        package var inputTimeout: MediaTime? = MediaTime(seconds: 2)

        package init(
            name: String,
            grid: SegmentGrid,
            clock: ClockSource,
            timecode: TimecodeClock = TimecodeClock(),
            isSampleEncrypted: Bool = false,
            cryptoPeriods: CryptoPeriods? = nil,
            clearLead: Int64 = 0,
            keyClasses: KeyClasses = KeyClasses(),
            lateKey: LateKey = .hold,
            offersSessionKeys: Bool = true,
            hintedKey: KeySystem? = nil,
            format: StreamFormat = .fmp4,
            program: Int? = nil,
            inputCount: Int,
            backupCount: Int = 0,
            isPaced: Bool,
            audio: [AudioAttributes] = [],
            captions: [MultivariantPlaylist.ClosedCaptions] = [],
            failback: MediaTime = MediaTime(seconds: 30),
            filler: LossFiller = .gap,
            horizon: CommitHorizon = .slot,
            checks: InputHealth.Checks = InputHealth.Checks()
        ) {
            self.name = name
            self.grid = grid
            self.clock = clock
            self.timecode = timecode
            self.isSampleEncrypted = isSampleEncrypted
            self.cryptoPeriods = cryptoPeriods
            self.clearLead = clearLead
            self.keyClasses = keyClasses
            self.lateKey = lateKey
            self.offersSessionKeys = offersSessionKeys
            self.hintedKey = hintedKey
            self.format = format
            self.program = program
            self.inputCount = inputCount
            self.backupCount = backupCount
            self.isPaced = isPaced
            self.audio = audio
            self.captions = captions
            self.failback = failback
            self.filler = filler
            self.horizon = format.hasParts ? horizon : .slot
            self.checks = checks
        }

        /// Names the captions of all videos.
        package static let captionsGroup = "captions"

        /// What an operator knows each input by: its URL, without secrets.
        package var feedNames: [InputID: String] = [:]

        /// Of which splices players are told, and segments begin with.
        package var spliceMarkers = SpliceMarkers.passthrough
        /// What counts as an advertisement, where those alone are told of.
        package var advertisements = AdvertisementKind.usual
        /// What playlists say of advertisements besides.
        package var cueOutTags = CueOutTags.none
        /// Whether segments of fragmented MP4 tell of splices themselves.
        package var hasSpliceMessages = false

        /// How long before its effect something is accepted that the peer is to hear of; zero without one.
        package var scheduleLead = MediaTime.zero
        /// What players play in place of breaks.
        package var interstitials: [InterstitialTemplate] = []

        /// Inputs and backups, by preference.
        package var inputs: [InputID] {
            let inputs = (0..<inputCount).map(InputID.input)
            return inputs + (0..<backupCount).map { InputID.backup($0, inputCount: inputCount) }
        }

        package var carriage: Carriage { Carriage(format: format, isSampleEncrypted: isSampleEncrypted) }
        /// Whether samples are to come with their subsamples.
        package var needsSubsamples: Bool { isSampleEncrypted && format.hasCommonEncryption }

        /// How many feeds fill one place of a position.
        func sourceCount(of position: Int) -> Int { inputs.count { $0.position == position } }
    }
}
