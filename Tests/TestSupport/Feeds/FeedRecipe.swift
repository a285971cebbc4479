/// A feed as some encoder or other sends it: how to make it with software that is not ours.
package struct FeedRecipe: Hashable, Sendable {
    /// Names the file, too.
    package var name: String
    /// Extension of the file name: ts, mp4, mkv.
    package var container: String
    package var making: Making

    package indirect enum Making: Hashable, Sendable {
        /// FFmpeg, with these arguments before the file's name.
        case encoded([String])
        /// Transport streams one after the other, on one timeline.
        case joined([FeedRecipe])
        /// Field pictures without audio.
        case fields(FieldPictureStream)
        /// The picture of one and the audio of another, with a bitstream filter on the latter.
        case muxed(FeedRecipe, audio: FeedRecipe, filter: String)
        /// A transport stream whose access units of video are written anew.
        case edited(FeedRecipe, AccessUnitEdit)
        /// From the last key picture before a time in seconds on.
        case joinedLate(FeedRecipe, after: Double)
        /// With a track header that has the picture turned by a quarter.
        case rotated(FeedRecipe)
    }

    package init(_ name: String, container: String = "ts", _ making: Making) {
        self.name = name
        self.container = container
        self.making = making
    }

    /// Joins transport streams.
    package static func joined(_ name: String, _ parts: FeedRecipe...) -> FeedRecipe {
        FeedRecipe(name, .joined(parts))
    }

    /// The same with the audio of another one, that starts a little after the picture.
    package func with(audio: FeedRecipe, _ name: String, filter: String = "null") -> FeedRecipe {
        FeedRecipe(name, .muxed(self, audio: audio, filter: filter))
    }

    /// The same under another name, with its access units of video written anew.
    package func edited(_ name: String, _ edit: AccessUnitEdit) -> FeedRecipe {
        FeedRecipe(name, container: container, .edited(self, edit))
    }
}

extension FeedRecipe: CustomStringConvertible {
    package var description: String { name }
}
