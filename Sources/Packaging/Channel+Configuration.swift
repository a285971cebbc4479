package import Timeline

extension Channel {
    /// What a channel is to do, fixed for its life.
    package struct Configuration: Sendable {
        /// First path component of its URLs.
        package var name: String
        package var grid: SegmentGrid
        package var clock: ClockSource
        package var encryption: ChannelEncryption
        /// How many inputs will be made.
        package var inputCount: Int
        /// Whether inputs come as fast as the wall clock; else as fast as they can be read.
        package var isPaced: Bool
        /// Language and name of audio tracks in order, where the container's are to be overridden.
        package var audio: [(language: String?, name: String?)]

        package init(
            name: String,
            grid: SegmentGrid,
            clock: ClockSource,
            encryption: ChannelEncryption,
            inputCount: Int,
            isPaced: Bool,
            audio: [(language: String?, name: String?)] = []
        ) {
            self.name = name
            self.grid = grid
            self.clock = clock
            self.encryption = encryption
            self.inputCount = inputCount
            self.isPaced = isPaced
            self.audio = audio
        }
    }
}
