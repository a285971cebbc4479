package import MediaCore

/// The configuration of a channel: its feeds, and its output.
///
/// A property's initial value is the default of its setting. Each group of properties is a type in the extension below.
package struct ChannelConfiguration: Hashable, Sendable {
    /// First component of the path of its URLs.
    package var name = "live"
    /// The feeds, at least one; their tracks together make the channel.
    package var inputs: [FeedLocation] = []
    /// The backups: the i-th is for the i-th input; if there are more, they start over with the first.
    package var backups: [FeedLocation] = []
    /// The addresses that feeds may be sent to this packager from; empty for any.
    package var allowedPublishers: [AddressRange] = []
    /// Programs to read where feeds have several: a channel is made of each, so that one has one at most.
    var programs: [Int] = []
    /// Descriptions of the audio tracks, in the order of the tracks; beyond its end, the feed's own hold.
    package var audio: [AudioAttributes] = []
    /// The audio that gets a rendition in AAC that is made here.
    package var audioTranscoding = AudioTranscoding.automatic
    package var text = Text()
    package var format = StreamFormat.fmp4
    /// Length of a slot, in whole milliseconds.
    package var segmentDuration = MediaTime(seconds: 4)
    /// The longest part of a segment; zero for none.
    package var partDuration = MediaTime.zero
    /// True if a request for a media playlist without directives waits for the next segment.
    package var holdsNext = false
    /// Length of the live playlist, or ``wholeFeed``.
    package var window = MediaTime(seconds: 60)
    /// Bytes of published media that are held in memory at most.
    package var maximumMemory = 1 << 30
    /// The bandwidths of renditions that are known better than by measuring.
    package var bandwidths: [DeclaredBandwidth] = []
    package var encryption = EncryptionMethod.none
    /// True if `EncryptionMethod.aes128` encrypts the initialization sections of fragmented MP4 as well.
    package var encryptsInitialization = false
    package var keys = Keys()
    package var splices = Splices()
    package var ads = Ads()
    package var faults = Faults()
    package var clock = ClockSource.arrival
    /// The lead of the labels of ``ClockSource/timecode`` over UTC.
    package var timecodeOffset = MediaTime.zero
    /// The facts about the whole channel in the multivariant playlist.
    package var sessionData: [SessionDatum] = []
    /// The pathways of content steering, the preferred one first; empty without it.
    package var pathways: [PathwayDescription] = []
    /// The time after which players ask for pathways again.
    package var steeringTTL = MediaTime(seconds: 30)
    /// The file with names of renditions in other languages; nil for none.
    package var localizedNames: String?
    /// The distance behind the live edge at which players are to begin; zero for one of their choice.
    package var startOffset = MediaTime.zero
    /// True if nothing before that is shown.
    package var startsPrecisely = false
    /// True if files start over when they end.
    package var isLooping = false
    /// True if files are read no faster than they play.
    package var isRealtime = true
    /// Directory that playlists and segments are also written to.
    package var output: String?
    /// Directory that content keys are written to; nil for none.
    package var outputKeys: String?
    /// Destinations that playlists and segments are sent to.
    package var push: [PushDescription] = []
    /// Directory that outlives the process.
    package var state: String?
    package var recording = Recording()
    /// The delay of live playlists.
    package var timeDelay = MediaTime.zero
    /// The origin of the peer, which gives the live window at the start.
    package var peer: String?
    /// The PEM file of the authorities for the peer's certificate; nil for those of the system.
    package var peerAuthorityFile: String?

    /// The mode in which thumbnails for operators are made.
    package var thumbnails = ThumbnailMaking.onDemand
}

extension ChannelConfiguration {
    /// Subtitles and captions.
    package struct Text: Hashable, Sendable {
        /// Subtitles that come beside the feeds.
        package var subtitles: [SubtitleDescription] = []
        /// The texts inside the feeds that become subtitles.
        package var feedSubtitles = FeedSubtitles.automatic.choices
        /// The formats that all subtitles are offered in.
        package var formats = [TextFormat.webVTT]
        /// The declared captions in the video, seen or not.
        package var captions: [CaptionDescription] = []
    }

    /// Content keys: their source, their periods, and the ways that they reach players.
    package struct Keys: Hashable, Sendable {
        /// The source of content keys.
        package var source = KeySourceLocation.derived
        /// The file with the credentials for a key server; nil for none.
        package var credentialsFile: String?
        /// The file of certificates that a key server's own has to be signed by; nil for those that the system trusts.
        package var authorityFile: String?
        /// The file of the private key that content keys are encrypted for, and of its certificate; nil for keys in
        /// the clear.
        package var recipientFile: String?
        /// The file of the certificate that a document has to be signed with; nil for none.
        package var signerFile: String?
        /// The name that a key server knows the channel by; nil for the channel's own.
        var givenContentID: String?
        /// The file of the master secret; nil for the place of ``ChannelConfiguration/keySecret``.
        var secretFile: String?
        /// True if a channel may continue with another master secret.
        package var acceptsNewSecret = false
        /// The configured length of a crypto period, before ``ChannelConfiguration/slotsPerPeriod``; zero for keys that
        /// never change.
        var rotation = MediaTime.zero
        /// The length of the channel's beginning that is in the clear, before ``ChannelConfiguration/clearLeadSlots``.
        var clearLead = MediaTime.zero
        /// The classes of video that have content keys of their own.
        package var classes: [VideoClass] = []
        /// The treatment of segments whose key is not there when they are due.
        package var lateKey = LateKey.hold

        /// The key systems whose licence servers give keys to players.
        var drm: [KeySystem] = []
        /// True if ``KeySystem/identity`` is offered beside others.
        var offersIdentity = false
        /// True if the multivariant playlist names keys, so that players may fetch them early.
        package var offersSessionKeys = true
        /// The key system whose next key media playlists announce.
        var hint = HintedKey.automatic
        /// The time that players have to fetch the next key; nil for as long as there is.
        package var spread: MediaTime?
        /// The required output protection, if there is a licence server.
        var hdcpLevel = OutputProtection.automatic
        /// ALLOWED-CPC; nil for the value of the key source.
        var allowedCPC: String?
    }

    /// A source of the master secret of derived keys.
    package enum KeySecret: Hashable, Sendable {
        /// A file that must be there, since others may have it too.
        case file(String)
        /// A file that is made when it is missing.
        case createdFile(String)
        /// A random secret that ends with the process.
        case memory
    }

    /// SCTE-35 in the feeds, and its marks in playlists and segments.
    package struct Splices: Hashable, Sendable {
        package var markers = SpliceMarkers.passthrough
        /// The PIDs where SCTE-35 is looked for; empty for those that program maps register.
        package var pids: [SplicePID] = []
        /// The kinds of splices that count as advertisements; empty for the usual.
        var givenAdvertisements: [AdvertisementKind] = []
        /// The tags for advertisements in playlists, in addition to date ranges.
        package var cueOutTags = CueOutTags.none
        /// True if segments have messages about splices.
        package var hasMessages = false
    }

    /// Advertisements that players play in place of breaks.
    package struct Ads: Hashable, Sendable {
        /// The interstitials as configured, before ``ChannelConfiguration/interstitials``.
        var givenInterstitials: [InterstitialTemplate] = []
        /// The source of advertisements, if players ask the origin; nil for none.
        package var source: AdSourceLocation?
        /// The URL that players fetch advertisements from; nil for the origin.
        package var url: String?
        /// The time that the source may take to answer.
        package var timeout = MediaTime(seconds: 5)
        /// True if documents may name servers in private networks.
        package var allowsPrivate = false
    }

    /// The times after which something counts as a fault, and what is done then.
    package struct Faults: Hashable, Sendable {
        /// The time without media after which an input is lost; zero means never.
        package var inputTimeout = MediaTime(seconds: 2)
        /// The time with the same picture after which an input counts as frozen; zero means never.
        package var frozenAfter = MediaTime.zero
        /// The time of silence after which an input counts as silent; zero means never.
        package var silentAfter = MediaTime.zero
        /// The time for which a better input must have been whole before the channel switches back from a backup.
        package var failback = MediaTime(seconds: 30)
        package var onLoss = OnLoss.gap
        /// The prepared file for `OnLoss.slate`; nil for the one that comes with the program.
        package var slate: String?
        /// The age of the live edge from which on the stream counts as stale; zero for never.
        package var staleAfter = MediaTime.zero
        /// The conditions on which playlists are refused, so that a CDN looks elsewhere.
        package var failOn: [FailureCondition] = []
    }

    /// The recording of the channel.
    package struct Recording: Hashable, Sendable {
        /// Directory that the channel is recorded in; nil for no recording.
        package var directory: String?
        /// The age at which recorded slots are removed.
        package var duration = MediaTime(seconds: 14 * 86_400)
        /// Bytes that the recording may take; nil for as many as the disk has room for.
        package var byteCount: Int?
    }
}
