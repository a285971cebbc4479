import Foundation
import Ingest
import MediaCore
import TestSupport
import Testing

/// A feed of the corpus, by the file that it is read from.
enum FeedName: String, Sendable, CaseIterable {
    case aac = "aac.ts"
    case aacFile = "aac.mp4"
    case ac3 = "ac3.ts"
    case eac3 = "eac3.ts"
    case mp2 = "mp2.ts"
    case mp3 = "mp3.ts"
    case opus = "opus.ts"
    case flac = "flac.mp4"
    case alac = "alac.mp4"
    case hevc = "hevc.ts"
    case hevcFile = "hevc.mp4"
    case av1 = "av1.mp4"
    case openGOP = "open-gop.ts"
    case interlaced = "interlaced.ts"
    /// 30000/1001 pictures a second, and audio of 44.1 kHz.
    case ntsc = "ntsc.ts"
    /// Its pictures may be labelled.
    case pictureStructure = "pic-struct.ts"
    /// It repeats without a seam.
    case live = "live.ts"
    /// The same in two languages.
    case languages = "languages.ts"
    /// The same, larger and of another profile.
    case high = "high.ts"
    /// The same, larger still.
    case sample = "feed-180p.ts"
    case slate = "slate.ts"

    private var isSample: Bool { [.sample, .slate].contains(self) }

    private var file: URL {
        Repository.root.appending(path: isSample ? "Samples" : "Tests/CorpusTests/Feeds").appending(path: rawValue)
    }

    /// Returns the feed.
    func read() async -> Feed {
        await FeedLibrary.shared.feed(self)
    }

    fileprivate func readFile() async -> Feed {
        let recorder = FeedRecorder()
        let reader = InputReader(url: file.path, options: .init(retries: false), consumer: recorder)
        reader.start()
        await reader.finished()
        let repeats = [.live, .languages, .high, .sample].contains(self)
        let feed = recorder.feed(length: repeats ? MediaTime(seconds: 8) : nil)
        if feed.packets.isEmpty { Issue.record("\(rawValue) cannot be read") }
        return feed
    }
}

/// Reads each feed once in a run of the tests.
private actor FeedLibrary {
    static let shared = FeedLibrary()
    private var feeds: [FeedName: Task<Feed, Never>] = [:]

    func feed(_ name: FeedName) async -> Feed {
        let task = feeds[name] ?? Task { await name.readFile() }
        feeds[name] = task
        return await task.value
    }
}
