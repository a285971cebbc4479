extension ChannelStatus {
    /// The choice of the input that fills the slots.
    package struct Selection: Hashable, Codable, Sendable {
        package var mode: Mode
        /// The input in use, or the requested one.
        var input: String?

        package enum Mode: String, Hashable, Codable, Sendable {
            /// The channel, by the health of its inputs.
            case automatic
            /// An operator.
            case held
        }

        package init(mode: Mode, input: String? = nil) {
            self.mode = mode
            self.input = input
        }
    }
}
