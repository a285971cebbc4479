package import ContentProtection
package import MediaCore
package import Playlists
package import Timeline

extension ChannelEngine {
    /// The settings of a channel, fixed for its life.
    package struct Configuration: Sendable {
        /// The first path component of its URLs.
        package var name: String
        package var grid: SegmentGrid
        package var clock: ClockSource
        /// The way in which ``ClockSource/timecode`` is read.
        package var timecode: TimecodeClock
        /// True if samples are encrypted, and not whole segments.
        package var isSampleEncrypted: Bool
        /// The slots that share keys; nil if nothing is encrypted.
        package var cryptoPeriods: CryptoPeriods?
        /// The number of slots in the clear when the channel first begins.
        package var clearLead: Int64
        /// The tracks that have keys of their own.
        package var keyClasses: KeyClasses
        /// The treatment of segments whose key is missing when they are due.
        package var lateKey: LateKey
        /// True if keys are announced before players need them.
        package var offersSessionKeys: Bool
        /// The key system whose next key media playlists announce; nil for none.
        package var hintedKey: KeySystem?
        /// The format: fragmented MP4, or transport streams.
        package var format: StreamFormat
        /// The program that is read from inputs that have several; nil if it was left open.
        package var program: Int?
        /// The number of inputs.
        package var inputCount: Int
        /// The number of backups.
        package var backupCount: Int
        /// True if inputs come at the pace of the wall clock; false if they come as fast as they can be read.
        package var isPaced: Bool
        /// The configured attributes of audio tracks, in order.
        package var audio: [AudioAttributes]
        /// The subtitles that come separately from the feeds.
        package var subtitles: [SubtitleAttributes] = []
        /// The configured attributes of text inside feeds.
        package var feedText: [SubtitleAttributes] = []
        /// The text inside feeds that becomes subtitles.
        package var feedSubtitles = FeedSubtitles.none
        /// The formats that are made of each text; at least WebVTT, which all players read.
        package var subtitleFormats: [TextFormat] = [.webVTT]
        /// The declared captions, seen or not.
        package var captions: [MultivariantPlaylist.ClosedCaptions]
        /// The time that a better input must have been whole before the channel switches back to it.
        package var failback: MediaTime
        /// The filler of slots that no input has media for.
        package var filler: LossFiller
        /// The horizon at which decisions for viewers are final; parts are of fragmented MP4.
        package var horizon: CommitHorizon
        /// The checks that make content a fault.
        package var checks: InputHealth.Checks
        /// The time without media after which an input is lost; nil for never.
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

        /// The group ID of the captions of all videos.
        package static let captionsGroup = "captions"

        /// The name of each input for operators: its URL, without secrets.
        package var feedNames: [InputID: String] = [:]

        /// The splices that are announced to players, and that begin segments.
        package var spliceMarkers = SpliceMarkers.passthrough
        /// The kinds of splices that count as advertisements, if only those are announced.
        package var advertisements = AdvertisementKind.usual
        /// The tags for advertisements in addition to date ranges.
        package var cueOutTags = CueOutTags.none
        /// True if segments of fragmented MP4 carry splice messages themselves.
        package var hasSpliceMessages = false

        /// The time between an action's acceptance and its effect, so that the peer can get it; zero without a peer.
        package var scheduleLead = MediaTime.zero
        /// The templates of the interstitials that players play in place of breaks.
        package var interstitials: [InterstitialTemplate] = []

        /// The positions of all inputs.
        var positions: Range<InputPosition> { InputPosition(0)..<InputPosition(inputCount) }
        /// Inputs and backups, in order of preference.
        package var inputs: [InputID] {
            let inputs = positions.map(InputID.input(at:))
            return inputs + (0..<backupCount).map { InputID.backup($0, inputCount: inputCount) }
        }

        package var carriage: Carriage { Carriage(format: format, isSampleEncrypted: isSampleEncrypted) }
        /// True if samples need the byte ranges of their subsamples.
        package var needsSubsamples: Bool { isSampleEncrypted && format.hasCommonEncryption }

        /// Returns the number of feeds that fill one place of a position.
        func sourceCount(of position: InputPosition) -> Int { inputs.count { $0.position == position } }
    }
}
