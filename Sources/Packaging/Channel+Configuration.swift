package import MediaCore
package import Timeline

extension Channel {
    /// What a channel is to do, fixed for its life.
    package struct Configuration: Sendable {
        /// First path component of its URLs.
        package var name: String
        package var grid: SegmentGrid
        package var clock: ClockSource
        /// How ``ClockSource/timecode`` is read.
        package var timecode: TimecodeClock
        package var encryption: ChannelEncryption
        /// How many inputs will be made.
        package var inputCount: Int
        /// How many will stand by.
        package var backupCount: Int
        /// Whether inputs come as fast as the wall clock; else as fast as they can be read.
        package var isPaced: Bool
        /// Language and name of audio tracks in order, where the container's are to be overridden.
        package var audio: [(language: String?, name: String?)]
        /// How long a better input must have been whole to take back.
        package var failback: MediaTime
        /// What a slot is filled with that no input has media for.
        package var filler: LossFiller
        /// What of the content counts as a fault.
        package var checks: InputHealth.Checks

        package init(
            name: String,
            grid: SegmentGrid,
            clock: ClockSource,
            timecode: TimecodeClock = TimecodeClock(),
            encryption: ChannelEncryption,
            inputCount: Int,
            backupCount: Int = 0,
            isPaced: Bool,
            audio: [(language: String?, name: String?)] = [],
            failback: MediaTime = MediaTime(seconds: 30),
            filler: LossFiller = .gap,
            checks: InputHealth.Checks = InputHealth.Checks()
        ) {
            self.name = name
            self.grid = grid
            self.clock = clock
            self.timecode = timecode
            self.encryption = encryption
            self.inputCount = inputCount
            self.backupCount = backupCount
            self.isPaced = isPaced
            self.audio = audio
            self.failback = failback
            self.filler = filler
            self.checks = checks
        }

        /// Inputs and backups, by preference.
        package var inputs: [InputID] {
            let inputs = (0..<inputCount).map(InputID.input)
            return inputs + (0..<backupCount).map { InputID.backup($0, inputCount: inputCount) }
        }

        /// How many feeds fill one place of a position.
        func sourceCount(of position: Int) -> Int { inputs.count { $0.position == position } }
    }
}
