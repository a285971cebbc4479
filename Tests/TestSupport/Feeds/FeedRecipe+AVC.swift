/// Feeds of H.264 that are hard to package, each in its own way; key frames come every second but where said.
extension FeedRecipe {
    /// libx264, fast and small.
    ///
    /// - Parameters:
    ///   - parameters: Of x264, joined by colons.
    ///   - options: Of FFmpeg; later ones win.
    /// - Returns: The encoder and its options.
    package static func x264(_ parameters: String = "", _ options: [String] = []) -> [String] {
        [
            "libx264", "-preset", "veryfast", "-crf", "32", "-pix_fmt", "yuv420p", "-g", "25", "-keyint_min", "25",
            "-sc_threshold", "0", "-bf", "2", "-flags:v", "+bitexact", "-x264-params", "threads=2:aud=1:\(parameters)",
        ] + options
    }

    package static let avc = FeedRecipe("avc", [Picture(x264())])

    /// To be turned by a quarter before it is shown, as telephones do.
    package static let rotated = FeedRecipe("rotated", container: "mp4", .rotated(.avc))

    /// Without decode timestamps, and with milliseconds.
    package static let matroska = FeedRecipe("matroska", container: "mkv", [Picture(x264())])

    // MARK: Pictures

    /// Macroblock-adaptive frames of two fields, the top one first.
    package static let interlaced = FeedRecipe(
        "interlaced",
        [Picture(rate: "50", filter: "interlace=scan=tff", x264("tff=1", ["-flags:v", "+ildct+ilme+bitexact"]))]
    )

    /// Each picture is a field; a packet has both of a frame, or each field is a packet of its own.
    package static let fieldPairs = FeedRecipe("field-pairs", .fields(.init(frames: 150, delimitsFields: false)))
    package static let fields = FeedRecipe("fields", .fields(.init(frames: 150, delimitsFields: true)))

    /// Two of five pictures are missing; key frames come at the full second.
    package static let variableFrameRate = FeedRecipe("vfr", [dropping], options: ["-fps_mode", "vfr"])
    package static let variableFrameRateMP4 = FeedRecipe(
        "vfr-mp4",
        container: "mp4",
        [dropping],
        options: ["-fps_mode", "vfr"]
    )
    private static let dropping = Picture(
        rate: "50",
        filter: "select='not(mod(n,50))+not(eq(mod(n,5),3))*gt(mod(n\\,7)\\,1)'",
        x264("", ["-g", "250", "-force_key_frames", "expr:gte(t,n_forced)"])
    )

    package static let ntsc = FeedRecipe(
        "ntsc",
        [Picture(rate: "30000/1001", x264("", ["-g", "30", "-keyint_min", "30"]))]
    )

    /// Recovery points every second, IDR pictures every two.
    package static let openGOP = FeedRecipe(
        "open-gop",
        [
            Picture(
                x264("open-gop=1:bframes=3", ["-force_key_frames", "expr:gte(t,2*n_forced)", "-forced-idr", "1"])
            )
        ]
    )

    /// Recovery points every second; the first picture only is an IDR picture.
    package static let recoveryPoints = FeedRecipe("recovery-points", [Picture(x264("open-gop=1:bframes=4:b-adapt=0"))])

    /// The same as one sees it who joins late: no IDR picture at all.
    package static let withoutIDR = FeedRecipe("without-idr", .joinedLate(.recoveryPoints, after: 2))

    /// No key frame but a wave of intra macroblocks, after which the picture is whole.
    package static let intraRefresh = FeedRecipe("intra-refresh", [Picture(x264("intra-refresh=1:bframes=0"))])

    /// The same as one sees it who joins late: no IDR picture at all.
    package static let intraRefreshWithoutIDR = FeedRecipe("intra-refresh-joined", .joinedLate(.intraRefresh, after: 2))

    package static let pyramid = FeedRecipe(
        "pyramid",
        [Picture(x264("bframes=8:b-pyramid=normal:b-adapt=0:ref=4"))]
    )

    package static let slices = FeedRecipe("slices", [Picture(x264("slices=4"))])
    package static let smallSlices = FeedRecipe("small-slices", [Picture(x264("slice-max-size=200:cabac=0"))])

    /// Cut between key frames without encoding it anew: an edit list hides the pictures before the cut.
    package static let cut = FeedRecipe("cut", container: "mp4", .joinedLate(.longGroups, after: 1.32))
    private static let longGroups = FeedRecipe(
        "long-groups",
        container: "mp4",
        [Picture(x264("bframes=3:b-pyramid=normal:b-adapt=0", ["-g", "50", "-keyint_min", "50"]))]
    )

    // MARK: Parameter sets

    /// Another resolution and profile from 4 s on.
    package static let otherResolution = joined("other-resolution-picture", half, larger).with(
        audio: eightSeconds,
        "other-resolution"
    )
    /// Another profile and quantization at the same resolution.
    package static let otherProfile = joined("other-profile-picture", half, simpler).with(
        audio: eightSeconds,
        "other-profile"
    )
    private static let half = FeedRecipe("part-high", seconds: 4, [Picture(x264())], audio: [])
    private static let larger = FeedRecipe(
        "part-larger",
        seconds: 4,
        [Picture(size: "480x270", x264("", ["-profile:v", "main"]))],
        audio: []
    )
    private static let simpler = FeedRecipe(
        "part-baseline",
        seconds: 4,
        [Picture(x264("", ["-profile:v", "baseline", "-bf", "0"]))],
        audio: []
    )

    private static let eightSeconds = FeedRecipe("part-audio", seconds: 8, [], audio: [.stereo])

    /// The parameter sets have IDs of their own.
    package static let parameterSetIDs = FeedRecipe("parameter-set-ids", [Picture(x264("sps-id=3"))])
    /// From 4 s on, others with other IDs.
    package static let otherIDs = joined("other-ids-picture", half, numbered).with(audio: eightSeconds, "other-ids")
    private static let numbered = FeedRecipe("part-ids", seconds: 4, [Picture(x264("sps-id=3:bframes=1"))], audio: [])

    package static let unusedParameterSets = avc.edited("unused-parameter-sets", .unusedParameterSets)
    package static let repeatedParameterSets = avc.edited("repeated-parameter-sets", .repeatedParameterSets)

    /// In a file that has them in the samples too, as avc3.
    package static let inBand = FeedRecipe(
        "in-band",
        container: "mp4",
        [Picture(x264("", ["-bsf:v", "dump_extra=freq=keyframe", "-tag:v", "avc3"]))]
    )

    // MARK: Byte stream

    package static let withoutDelimiters = avc.edited("without-delimiters", .withoutDelimiters)
    package static let mixedStartCodes = avc.edited("mixed-start-codes", .mixedStartCodes)
    package static let zeroPadding = avc.edited("zero-padding", .zeroPadding)
    package static let captions = withoutReordering.edited("captions", .captions)
    // Captions are in the order of presentation, which here is that of decoding.
    private static let withoutReordering = FeedRecipe("without-reordering", [Picture(x264("", ["-bf", "0"]))])

    package static let slicesWithoutDelimiters = slices.edited("slices-without-delimiters", .withoutDelimiters)
    package static let interlacedWithoutDelimiters = interlaced.edited(
        "interlaced-without-delimiters",
        .withoutDelimiters
    )
}
