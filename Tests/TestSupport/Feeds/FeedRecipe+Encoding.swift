extension FeedRecipe {
    /// The picture of a feed: it moves, and no two pictures are alike.
    package struct Picture: Hashable, Sendable {
        package var size = "320x180"
        package var rate = "25"
        /// FFmpeg's filters.
        package var filter = "null"
        /// Encoder and its options.
        package var encoder: [String]

        package init(size: String = "320x180", rate: String = "25", filter: String = "null", _ encoder: [String]) {
            self.size = size
            self.rate = rate
            self.filter = filter
            self.encoder = encoder
        }
    }

    /// The audio of a feed: it rises, and no two frames are alike.
    package struct Audio: Hashable, Sendable {
        package var sampleRate: Int
        package var channels: Int
        package var language: String
        /// Encoder and its options.
        package var encoder: [String]

        package init(sampleRate: Int = 48_000, channels: Int = 2, language: String = "eng", _ encoder: [String]) {
            self.sampleRate = sampleRate
            self.channels = channels
            self.language = language
            self.encoder = encoder
        }

        package static let stereo = Audio(aac())

        /// Without noise substitution, which decoders fill with noise of their own.
        package static func aac(_ options: [String] = []) -> [String] {
            ["aac", "-b:a", "64k", "-aac_pns", "0"] + options
        }

        /// The source of audio, with another pitch in each channel.
        fileprivate func source(seconds: Double) -> String {
            let channels = (0..<channels).map { "0.2*sin(2*PI*(\(300 + 100 * $0)+\(20 + 10 * $0)*t)*t)" }
            let layout = [1: "mono", 2: "stereo", 6: "5.1"][self.channels] ?? "\(self.channels)c"
            return "aevalsrc=\(channels.joined(separator: "|")):s=\(sampleRate):c=\(layout):d=\(seconds)"
        }
    }

    /// One run of FFmpeg from its test sources.
    ///
    /// - Parameters:
    ///   - name: Names the file, too.
    ///   - container: Extension of the file name.
    ///   - seconds: Length of what goes into the encoders.
    ///   - pictures: Tracks of video.
    ///   - audio: Tracks of audio.
    ///   - options: Of the output.
    package init(
        _ name: String,
        container: String = "ts",
        seconds: Double = 6,
        _ pictures: [Picture],
        audio: [Audio] = [.stereo],
        options: [String] = []
    ) {
        var inputs: [String] = []
        var outputs: [String] = []
        for picture in pictures {
            inputs += ["-f", "lavfi", "-i", "testsrc2=size=\(picture.size):rate=\(picture.rate):duration=\(seconds)"]
        }
        // Audio starts after the picture, so that none of it is left out.
        for audio in audio {
            inputs += [
                "-itsoffset", pictures.isEmpty ? "0" : "0.1", "-f", "lavfi", "-i", audio.source(seconds: seconds),
            ]
        }
        for index in 0..<pictures.count + audio.count { outputs += ["-map", "\(index)"] }
        for (index, picture) in pictures.enumerated() {
            outputs += ["-filter:v:\(index)", picture.filter, "-c:v:\(index)"] + picture.encoder
        }
        for (index, audio) in audio.enumerated() {
            outputs += ["-c:a:\(index)"] + audio.encoder + ["-metadata:s:a:\(index)", "language=\(audio.language)"]
        }
        self.init(name, container: container, .encoded(inputs + outputs + options))
    }
}
