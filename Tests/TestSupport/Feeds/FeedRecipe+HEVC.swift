/// Feeds of HEVC.
extension FeedRecipe {
    /// libx265, fast and small.
    package static func x265(_ parameters: String = "", _ options: [String] = []) -> [String] {
        let common = "keyint=25:min-keyint=25:scenecut=0:bframes=3:open-gop=0:aud=1:repeat-headers=1:log-level=error"
        return [
            "libx265", "-preset", "ultrafast", "-crf", "34", "-pix_fmt", "yuv420p", "-x265-params",
            "\(common):pools=2:\(parameters)",
        ] + options
    }

    package static let hevc = FeedRecipe("hevc", [Picture(x265())])
    package static let hevcMP4 = FeedRecipe("hevc-mp4", container: "mp4", [Picture(x265("", ["-tag:v", "hvc1"]))])

    /// Cut between key frames without encoding it anew: an edit list hides the pictures before the cut.
    package static let hevcCut = FeedRecipe("hevc-cut", container: "mp4", .joinedLate(.hevcLongGroups, after: 1.32))
    private static let hevcLongGroups = FeedRecipe(
        "hevc-long-groups",
        container: "mp4",
        [Picture(x265("keyint=50:min-keyint=50:b-pyramid=1", ["-tag:v", "hvc1"]))]
    )

    /// SMPTE ST 2084 with mastering display and content light level.
    package static let hdr10 = FeedRecipe("hdr10", [hdr10Picture(lightLevels: "1000,400", peak: 1000)])

    /// From 4 s on other light levels and another mastering display; parameter sets stay.
    package static let otherLightLevels = joined("other-light-levels", bright, dark)
    private static let bright = FeedRecipe(
        "part-bright",
        seconds: 4,
        [hdr10Picture(lightLevels: "1000,400", peak: 1000)],
        audio: []
    )
    private static let dark = FeedRecipe(
        "part-dark",
        seconds: 4,
        [hdr10Picture(lightLevels: "300,90", peak: 600)],
        audio: []
    )

    private static func hdr10Picture(lightLevels: String, peak: Int) -> Picture {
        Picture(
            x265(
                "hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=\(lightLevels):master-display="
                    + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(\(peak)0000,1)",
                tenBits
            )
        )
    }
    package static let hybridLogGamma = FeedRecipe(
        "hlg",
        [Picture(x265("colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc", tenBits))]
    )
    private static let tenBits = ["-pix_fmt", "yuv420p10le"]

    /// Each picture is a field.
    package static let hevcInterlaced = FeedRecipe("hevc-interlaced", [Picture(rate: "50", x265("interlace=tff"))])
    package static let hevcSlices = FeedRecipe("hevc-slices", [Picture(x265("slices=2:wpp=1"))])
    /// Clean random access pictures with leading pictures.
    package static let hevcOpenGOP = FeedRecipe("hevc-open-gop", [Picture(x265("open-gop=1:b-pyramid=1"))])
}
