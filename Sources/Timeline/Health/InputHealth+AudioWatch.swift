import MediaCore

extension InputHealth {
    /// Tells silence from audio that can be heard, by the level that decoding it has found.
    struct AudioWatch: Sendable {
        /// The time for which nothing could be heard.
        private(set) var silence = MediaTime.zero
        private var newest: MediaTime?

        /// dB of full scale: what is lower is digital silence, or the noise of a line without a signal.
        ///
        /// A programme at the -23 LUFS of EBU R 128 has no passage this quiet that anybody would hear.
        private static let silent = -60.0

        mutating func found(level: Double, at time: MediaTime) {
            silence += InputHealth.elapsed(from: newest, to: time)
            if level > Self.silent { silence = .zero }
            newest = time
        }

        /// Nothing is known of a while.
        mutating func interrupted() {
            self = Self()
        }
    }
}
