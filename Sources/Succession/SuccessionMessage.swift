/// The messages between a process and the one that takes its place, in this order.
package struct SuccessionMessage: Sendable {
    package enum Kind: UInt8, Sendable {
        // From the old one.

        /// A socket that listens; the name is that of its listener.
        case listener = 1
        /// The settings that the numbers and keys of each channel depend on, as JSON; the sockets are complete.
        ///
        /// The name is the directory in which the sender keeps events, and empty where there is none.
        case channels
        /// The feeds are to be opened.
        case openFeeds
        /// Bytes of a channel's window; the name is their path.
        case body
        /// The bytes that were read of a feed; the name is its location.
        case feedBytes
        /// A channel as JSON, with the bodies and bytes of feeds before it.
        case channel
        /// The channels are complete, and no other process has their files open.
        case yours
        /// A client's connection, with the bytes that were read; the name is that of its listener.
        case connection
        /// The sender no longer accepts connections, and has handed over the idle ones.
        case retired
        /// A publishing connection, with its state and buffered bytes: it is not read until this process has retired.
        case publisher

        // From the new one.

        /// The sender cannot continue, and ends; with the reason as text.
        case refused = 128
        /// The sender has checked everything and found no problem.
        ///
        /// The byte is the version in which publishers' connections are taken over; it is missing if they are not.
        case prepared = 129
        /// The feeds are open; the bytes are the directories in which the sender looks for windows, by channel, as
        /// JSON, and are missing from older versions.
        case feedsOpen
        /// The channels are served as they were left.
        case listening
    }

    package var kind: Kind
    package var name: String
    package var bytes: [UInt8]
    /// A descriptor, which the receiver has to close.
    package var descriptor: CInt?

    package init(_ kind: Kind, name: String = "", bytes: [UInt8] = [], descriptor: CInt? = nil) {
        self.kind = kind
        self.name = name
        self.bytes = bytes
        self.descriptor = descriptor
    }
}
