import MediaCore

extension InputHealth {
    /// Distinguishes silence from audible audio, by the level that decoding has found.
    struct AudioWatch: Sendable {
        /// The time for which the audio was silent.
        private(set) var silence = MediaTime.zero
        private var newest: MediaTime?

        /// The level of silence, in dB of full scale: digital silence, or the noise of a line without a signal, is
        /// lower.
        ///
        /// A programme at the -23 LUFS of EBU R 128 has no audible passage this quiet.
        private static let silent = -60.0

        mutating func found(level: Double, at time: MediaTime) {
            silence += InputHealth.elapsed(from: newest, to: time)
            if level > Self.silent { silence = .zero }
            newest = time
        }

        /// Forgets the state after an interruption.
        mutating func interrupted() {
            self = Self()
        }
    }
}
