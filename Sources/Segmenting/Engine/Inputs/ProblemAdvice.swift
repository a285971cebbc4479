/// The advice to an operator about a problem of an input: its effect on viewers, and the remedy.
struct ProblemAdvice: Hashable, Sendable {
    let viewers: String
    let remedy: String

    private init(viewers: String, do remedy: String) {
        self.viewers = viewers
        self.remedy = remedy
    }
}

// MARK: - Inputs

extension ProblemAdvice {
    static let absent = Self(
        viewers: "they get nothing of it until it connects, unless a backup takes over",
        do: "check the encoder and the address that it sends to"
    )
    static let nothingUsable = Self(
        viewers: "they get nothing of it, unless a backup takes over",
        do: "have the encoder send codecs that the channel can carry, such as H.264 and AAC"
    )
    static let noTimestamps = Self(
        viewers: "they get nothing of it, unless a backup takes over",
        do: "give the file timestamps: ffmpeg -i FEED -c copy FEED.mp4"
    )
    static let noTimecode = Self(
        viewers: "they notice nothing, but two packagers do not publish the same",
        do: "have the encoder write timecode into the video, or set clock: arrival"
    )
    static let noProgram = Self(
        viewers: "they get nothing of it, unless a backup takes over",
        do: "set program to one that the feed has"
    )
    static let severalPrograms = Self(
        viewers: "they get the program that is read",
        do: "name the one that the channel is to have with program"
    )
    static let severalSenders = Self(
        viewers: "they see a broken picture",
        do: "stop one of the senders, or name the encoder in allowed-publishers"
    )
    static let unregisteredSplices = Self(
        viewers: "they see no breaks of these messages",
        do: "if it is SCTE-35, set scte35-pid: [auto]; else nothing"
    )
    static let notExamined = Self(
        viewers: "they notice nothing",
        do: "nothing, unless health is to count frozen pictures and silence: then act on the problem"
    )
}

// MARK: - Tracks and renditions

extension ProblemAdvice {
    static let leftOut = Self(
        viewers: "they do not get this track",
        do: "have the encoder send it in a codec that the channel can carry; nothing if nobody is to have it"
    )
    static let carriedWithLimits = Self(
        viewers: "some players do not show it as it is meant",
        do: "change what the problem names; nothing if the players of your viewers show it"
    )
    static let notTranscoded = Self(
        viewers: "they do not hear this track unless players take its codec",
        do: "have the encoder send AAC"
    )
    static let textNotRead = Self(
        viewers: "they lack these subtitles, or get them with mistakes; picture and sound go on",
        do: "act on the problem; nothing if nobody is to have them"
    )
    static let changesAgainAndAgain = Self(
        viewers: "players set up their decoders anew each time, and may stall",
        do: "let one encoder alone send to this address"
    )
    static let misaligned = Self(
        viewers: "players that change the variant may repeat or skip as much",
        do: "have the encoders make key frames at the same times, by the same clock"
    )
    static let alignedAgain = Self(viewers: "players change the variant without a jump", do: "nothing")
    static let nothingToFill = Self(
        viewers: "they get a gap there, unless another input has it",
        do: "have it send the same tracks as the inputs that it fills in for"
    )
    static let notUsed = Self(
        viewers: "they do not get this track",
        do: "have it send the same tracks, in the same codecs and languages, as the input that it stands by for"
    )
    static let notOfTheSlate = Self(
        viewers: "they get what the problem names while the slate is on air",
        do: "make a slate of the codecs that the encoder sends"
    )
    static let repeatedSlate = Self(
        viewers: "they see the slate begin again and again while it is on air",
        do: "make a slate with a key frame every second (ffmpeg: -g 25)"
    )
    static let notWritten = Self(
        viewers: "they do not get this rendition until then",
        do: "act on the problem; the channel tries again by itself"
    )
}
