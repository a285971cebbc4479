package import MediaCore

/// One channel: its feeds, and what is made of them.
///
/// What a property begins with is the default of its setting.
package struct ChannelConfiguration: Hashable, Sendable {
    /// First component of the path of its URLs.
    package var name = "live"
    /// At least one; their tracks together make the channel.
    package var inputs: [FeedLocation] = []
    /// The i-th stands by for the i-th input; where there are more, they start over with the first.
    package var backups: [FeedLocation] = []
    /// Where those that are sent to this packager may come from; empty for anywhere.
    package var allowedPublishers: [AddressRange] = []
    /// Programs to read where feeds have several: a channel is made of each, so that one has one at most.
    var programs: [Int] = []
    /// What is said of the audio tracks, in the order of the tracks; where it ends, the feed's own holds.
    package var audio: [AudioAttributes] = []
    /// Subtitles that come beside the feeds.
    package var subtitles: [SubtitleDescription] = []
    /// What of the words inside the feeds becomes subtitles.
    package var feedSubtitles = FeedSubtitles.automatic.choices
    /// What is made of all of them.
    package var subtitleFormats = [TextFormat.webVTT]
    /// Captions in the video that are declared, whether any were seen or not.
    package var captions: [CaptionDescription] = []
    /// Which audio gets a rendition in AAC that is made here.
    package var audioTranscoding = AudioTranscoding.automatic
    package var format = StreamFormat.fmp4
    /// Length of a slot, in whole milliseconds.
    package var segmentDuration = MediaTime(seconds: 4)
    /// Length of the live playlist, or ``wholeFeed``.
    package var window = MediaTime(seconds: 60)
    /// Bytes of published media that are held in memory at most.
    package var maximumMemory = 1 << 30
    /// Of renditions whose bandwidth is known better than by measuring.
    package var bandwidths: [DeclaredBandwidth] = []
    package var encryption = EncryptionMethod.none
    /// Whether ``EncryptionMethod/aes128`` encrypts the initialization sections of fragmented MP4 as well.
    package var encryptsInitialization = false
    /// Whose licence servers give keys to players.
    var drm: [KeySystem] = []
    /// Whether ``KeySystem/identity`` is offered beside others.
    var offersIdentityKey = false
    /// Whether the multivariant playlist names keys, so that players may fetch them early.
    package var offersSessionKeys = true
    /// Whose next key media playlists announce.
    var keyHint = HintedKey.automatic
    /// How long players have to fetch the next key; nil for as long as there is.
    package var keySpread: MediaTime?
    /// What is asked of screens where there is a licence server.
    var hdcpLevel = OutputProtection.automatic
    /// ALLOWED-CPC, as it is; nil for what the key source says.
    var allowedCPC: String?
    /// Length of a crypto period as it was asked for, before ``slotsPerPeriod``; zero for keys that never change.
    var keyRotation = MediaTime.zero
    /// How much of the channel's beginning is in the clear, before ``clearLeadSlots``.
    var clearLead = MediaTime.zero
    /// Which video has content keys of its own.
    package var keyClasses: [VideoClass] = []
    /// Where content keys come from.
    package var keySource = KeySourceLocation.derived
    /// The file of what shows a key server that it may answer; nil for nothing.
    package var keyCredentialsFile: String?
    /// The file of certificates that a key server's own has to be signed by; nil for those that the system trusts.
    package var keyAuthorityFile: String?
    /// The file of the private key that content keys are encrypted for, and of its certificate; nil for keys in the clear.
    package var keyRecipientFile: String?
    /// The file of the certificate that a document has to be signed with; nil for none.
    package var keySignerFile: String?
    /// What a key server knows the channel by; nil for its name.
    var givenContentID: String?
    /// The file of the master secret; nil for what ``keySecret`` makes of that.
    var keySecretFile: String?
    /// Whether a channel goes on where its master secret is another one than before.
    package var acceptsNewSecret = false
    /// What becomes of segments whose key is not there when they are due.
    package var lateKey = LateKey.hold
    package var clock = ClockSource.arrival
    /// What labels of ``ClockSource/timecode`` are ahead of UTC.
    package var timecodeOffset = MediaTime.zero
    /// How long a better input must have been whole to take back from a backup.
    package var failback = MediaTime(seconds: 30)
    package var onLoss = OnLoss.gap
    package var spliceMarkers = SpliceMarkers.passthrough
    /// What counts as an advertisement; empty for the usual.
    var givenAdvertisements: [AdvertisementKind] = []
    /// Where SCTE 35 is looked for; empty for what program maps register.
    package var splicePIDs: [SplicePID] = []
    /// What playlists say of advertisements besides date ranges.
    package var cueOutTags = CueOutTags.none
    /// Whether segments tell of splices themselves.
    package var hasSpliceMessages = false
    /// What players play in place of breaks, as far as that was said.
    var givenInterstitials: [InterstitialTemplate] = []
    /// Who says what that is, where players ask the origin; nil for nobody.
    package var adSource: AdSourceLocation?
    /// Where players fetch advertisements from; nil for the origin.
    package var adsURL: String?
    /// How long that may take.
    package var adTimeout = MediaTime(seconds: 5)
    /// Whether documents may name servers in private networks.
    package var allowsPrivateAds = false
    /// What the multivariant playlist says of the whole channel.
    package var sessionData: [SessionDatum] = []
    /// The file of what renditions are called in other languages; nil for none.
    package var localizedNames: String?
    /// How far behind the live edge players are to begin; zero for where they like.
    package var startOffset = MediaTime.zero
    /// Whether nothing before that is shown.
    package var startsPrecisely = false
    /// The prepared file for ``OnLoss/slate``; nil for the one that comes with the program.
    package var slate: String?
    /// How long an input may bring no media before it is lost; zero for ever.
    package var inputTimeout = MediaTime(seconds: 2)
    /// How long the same picture may last before the input is taken for frozen; zero for ever.
    package var frozenAfter = MediaTime.zero
    /// How long there may be silence; zero for ever.
    package var silentAfter = MediaTime.zero
    /// How old the live edge may be before the stream counts as stale; zero for ever.
    package var staleAfter = MediaTime.zero
    /// For which conditions playlists are refused, so that a CDN looks elsewhere.
    package var failOn: [FailureCondition] = []
    /// Whether files start over when they end.
    package var isLooping = false
    /// Whether files are read no faster than they play.
    package var isRealtime = true
    /// Directory that playlists and segments are also written to.
    package var output: String?
    /// Directory that content keys are written to; nil for none.
    package var outputKeys: String?
    /// Directory that outlives the process.
    package var state: String?
    /// Origin of the packager's peer, which is asked for the live window at start.
    package var peer: String?
    /// PEM of those who have to have signed the peer's certificate; nil for those that the system trusts.
    package var peerAuthorityFile: String?

    /// When operators see small pictures of it.
    package var thumbnails = ThumbnailMaking.onDemand

    /// Where the master secret of derived keys comes from.
    package enum KeySecret: Hashable, Sendable {
        /// A file that must be there, since others may have it too.
        case file(String)
        /// A file that is made when it is missing.
        case createdFile(String)
        /// A random secret that ends with the process.
        case memory
    }
}
