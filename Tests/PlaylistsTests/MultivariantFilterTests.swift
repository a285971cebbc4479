import MediaCore
import TestSupport
import Testing

@testable import Playlists

@Suite struct MultivariantFilterTests {
    /// Two sizes in two codecs, with audio in two formats and languages, subtitles in two formats, and I-frame playlists.
    private static let document = """
        #EXTM3U
        #EXT-X-VERSION:1
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="German",LANGUAGE="de-AT",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="de.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="ac3",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6",URI="en-6.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="ac3",NAME="German",LANGUAGE="de-AT",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="6",URI="de-6.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="text-en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="imsc1",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="imsc1-en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=1280x720,VIDEO-RANGE=SDR,FRAME-RATE=29.970,\
        AUDIO="aac",SUBTITLES="text",CLOSED-CAPTIONS=NONE
        small.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2300000,CODECS="avc1.64001F,ac-3",RESOLUTION=1280x720,VIDEO-RANGE=SDR,FRAME-RATE=29.970,\
        AUDIO="ac3",SUBTITLES="text",CLOSED-CAPTIONS=NONE
        small.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="hvc1.2.4.L153.B0,mp4a.40.2",RESOLUTION=3840x2160,VIDEO-RANGE=PQ,FRAME-RATE=59.940,\
        AUDIO="aac",SUBTITLES="text",CLOSED-CAPTIONS=NONE
        large.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001F,mp4a.40.2,stpp.ttml.im1t",RESOLUTION=1280x720,VIDEO-RANGE=SDR,\
        FRAME-RATE=29.970,AUDIO="aac",SUBTITLES="imsc1",CLOSED-CAPTIONS=NONE
        small.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,CODECS="avc1.64001F",RESOLUTION=1280x720,VIDEO-RANGE=SDR,URI="small-iframes.m3u8"
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=400000,CODECS="hvc1.2.4.L153.B0",RESOLUTION=3840x2160,VIDEO-RANGE=PQ,URI="large-iframes.m3u8"

        """

    /// The document that a query leaves.
    private static func left(_ query: String, of document: String = document) throws -> String {
        try MultivariantFilter(query: query[...]).applied(to: MultivariantPlaylist(parsing: document)).render()
    }

    /// The document without some of its lines, counted from 1.
    private static func without(_ numbers: Set<Int>) -> String {
        document.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !numbers.contains($0.offset + 1) }.map(\.element).joined(separator: "\n")
    }

    private static func error(_ query: String) -> FilterError? {
        do {
            _ = try MultivariantFilter(query: query[...]).applied(to: MultivariantPlaylist(parsing: document))
            return nil
        } catch {
            return error as? FilterError
        }
    }

    /// Thousands of them would keep an event loop busy that answers others.
    @Test func ofAQueryWithThousandsOfParametersSomeAreLookedAt() throws {
        let filter = "video-height=720"
        let many = String(repeating: "v&", count: 8000) + filter
        #expect(!MultivariantFilter.mayBe(in: many[...]))
        #expect(try MultivariantFilter(query: many[...]).isEmpty)
        let few = String(repeating: "v&", count: QueryParameters.most - 1) + filter
        #expect(MultivariantFilter.mayBe(in: few[...]))
        #expect(try !MultivariantFilter(query: few[...]).isEmpty)
    }

    @Test func aQueryWithoutFiltersLeavesTheDocumentAsItIs() throws {
        for query in ["", "token=abc", "start=1", "CMCD=bl%3D1", "codecs=x", "&&=&", "v", "_HLS_msn=7", "a%20b"] {
            #expect(try MultivariantFilter(query: query[...]).isEmpty)
            #expect(try Self.left(query) == Self.document)
        }
        #expect(try MultivariantFilter(query: nil).isEmpty)
    }

    @Test(arguments: [
        "video-height=..720", "video-height=720", "video_height=1-720", "VIDEO-HEIGHT=0..720,1080..1440",
        "aws.manifestfilter=video_height:1-720", "aws.manifestfilter=video_height%3A1-720%3Bvideo_bitrate%3A1-5000000",
        "video-bitrate=..5000000", "frame-rate=..30", "frame-rate=29.97", "video-framerate=29.97-30",
        "dynamic-range=sdr", "video_dynamic_range=SDR,HLG", "codec=h264", "video-codec=avc1", "video-codec=AVC1.64001F",
    ])
    func filtersOnVideoLeaveTheSmallPicture(query: String) throws {
        #expect(try Self.left(query) == Self.without([14, 15, 19]))
    }

    @Test(arguments: ["codec=aac,h264,hevc", "audio-codec=aacl", "audio-codec=mp4a.40.2", "audio-channels=..2"])
    func filtersOnAudioLeaveOneGroup(query: String) throws {
        #expect(try Self.left(query) == Self.without([6, 7, 12, 13]))
    }

    @Test func aLanguageLeavesItsVarietiesAndADefault() throws {
        let expected = Self.without([4, 6]).replacing(
            "LANGUAGE=\"de-AT\",DEFAULT=NO",
            with: "LANGUAGE=\"de-AT\",DEFAULT=YES"
        )
        #expect(try Self.left("audio-language=de") == expected)
        #expect(try Self.left("audio-language=DE-at,fr") == expected)
        #expect(try Self.left("audio-language=en,de") == Self.document)
        #expect(Self.error("audio-language=d") == .nothingLeft)
    }

    @Test func withoutSubtitlesEachVariantIsThereOnce() throws {
        let expected = Self.without([8, 9, 16, 17]).replacing(",SUBTITLES=\"text\"", with: "")
        #expect(try Self.left("subtitle-language=fr") == expected)
        #expect(try Self.left("subtitle-language=en") == Self.document)
    }

    @Test func filtersOfAllKindsGoTogether() throws {
        let query = "video-height=..720&token=x&audio-language=en&codec=h264,ac-3&subtitle-language=en"
        let expected = Self.without([4, 5, 7, 9, 10, 11, 14, 15, 16, 17, 19])
        #expect(try Self.left(query) == expected)
    }

    @Test func aRadioVariantNamesAMemberThatIsLeft() throws {
        let radio = """
            #EXTM3U
            #EXT-X-VERSION:1
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="German",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,URI="de.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2",AUDIO="aac",CLOSED-CAPTIONS=NONE
            en.m3u8

            """
        #expect(
            try Self.left("audio-language=de&video-height=..100", of: radio) == """
                #EXTM3U
                #EXT-X-VERSION:1
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="German",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,URI="de.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2",AUDIO="aac",CLOSED-CAPTIONS=NONE
                de.m3u8

                """
        )
    }

    @Test(arguments: [
        ("video-height=1080", FilterError.nothingLeft), ("codec=av1", .nothingLeft), ("audio-channels=1", .nothingLeft),
        ("audio-size=1", .unknown("audio-size")), ("trickplay_height=1-2", .unknown("trickplay-height")),
        ("aws.manifestfilter=donut_type:rhododendron", .unknown("donut-type")),
        ("video-height=720&video_height=720", .repeated(.videoHeight)),
        ("codec=h264&video-codec=h264", .repeated(.videoCodec)),
        ("video-height=", .malformed("video-height")), ("video-height=720..480", .malformed("video-height")),
        ("video-height=..", .malformed("video-height")), ("video-height=-5", .malformed("video-height")),
        ("video-height=720,", .malformed("video-height")), ("video-height=4x", .malformed("video-height")),
        ("video-height=99999999999999999999", .malformed("video-height")),
        ("audio-language=", .malformed("audio-language")), ("audio-language=%7B$x%7D", .malformed("audio-language")),
        ("audio-language=%zz", .malformed("audio-language")), ("codec=theora", .malformed("codec")),
        ("video-codec=aac", .malformed("video-codec")), ("dynamic-range=bright", .malformed("dynamic-range")),
        ("aws.manifestfilter=video_height", .malformed("aws.manifestfilter")),
    ])
    func badFiltersAreRefused(query: String, error: FilterError) {
        #expect(Self.error(query) == error)
    }

    @Test func filtersAreBounded() throws {
        let most = (1...MultivariantFilter.mostValues).map(String.init).joined(separator: ",")
        #expect(try !MultivariantFilter(query: "video-height=\(most)").isEmpty)
        #expect(Self.error("video-height=\(most),7") == .tooManyValues(.videoHeight))
        #expect(Self.error("audio-language=" + String(repeating: "e", count: 1024)) == .tooLong)
        #expect(Self.error("audio-language=" + String(repeating: "e", count: 36)) == .malformed("audio-language"))
        let flood = (0..<200).map { "audio-\($0)=1" }.joined(separator: "&")
        #expect(Self.error(flood) == .unknown("audio-0"))
        // Others' parameters may be as long as they like.
        #expect(try MultivariantFilter(query: "token=\(String(repeating: "x", count: 9000))").isEmpty)
    }

    @Test func theSameChoiceIsEqualHoweverItIsWritten() throws {
        let one = try MultivariantFilter(query: "video-height=480,..360&audio-language=en,de")
        let other = try MultivariantFilter(query: "audio_language=DE%2Cen&x=1&video_height=0-360,480..480")
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test func aMessageRepeatsNothingUnseemly() {
        #expect(
            FilterError.unknown("audio-<b>").description.hasPrefix("there is no filter; the filters are video-height, ")
        )
        #expect(FilterError.unknown("audio-size").description.hasPrefix("there is no filter audio-size; "))
        #expect(
            FilterError.malformed(String(repeating: "a", count: 99)).description
                == "the filter has a value that it cannot have"
        )
    }

    /// Property: what is left is part of what was there, passes again, and names only groups that are there.
    @Test(arguments: 0..<200)
    func whatIsLeftHolds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let choices = [
            ["video-height=..720", "video-height=2160", "video-height=1..4000"],
            ["audio-language=en", "audio-language=de,en"],
            ["subtitle-language=en", "subtitle-language=fr"],
            ["codec=h264", "codec=aac", "codec=hevc,aac", "codec=ac-3"],
            ["dynamic-range=sdr", "dynamic-range=hdr10"], ["frame-rate=50..", "frame-rate=..50"],
        ]
        let query = choices.compactMap { options in
            Bool.random(using: &random) ? options.randomElement(using: &random) : nil
        }
        .joined(separator: "&")
        let filter = try MultivariantFilter(query: query[...])
        let whole = try MultivariantPlaylist(parsing: Self.document)
        let left: MultivariantPlaylist
        do throws(FilterError) {
            left = try filter.applied(to: whole)
        } catch {
            #expect(error == .nothingLeft && !filter.isEmpty, "\(query)")
            return
        }
        #expect(Set(left.uris).isSubset(of: Set(whole.uris)), "\(query)")
        #expect(try filter.applied(to: left) == left, "\(query)")
        #expect(Set(left.renditions.map(\.groupID)) == Set(left.variants.compactMap(\.audioGroup)), "\(query)")
        #expect(Set(left.subtitles.map(\.groupID)) == Set(left.variants.compactMap(\.subtitlesGroup)), "\(query)")
        #expect(try MultivariantPlaylist(parsing: left.render()) == left, "\(query)")
    }
}
