/// The frames of one packet of audio.
package struct AudioFrames: Sendable {
    /// The frames, all of one configuration, each directly after the one before it.
    var frames: [AudioFrame] = []
    /// True if the reader's configuration is another one from these frames on; true at the first ones.
    var configurationChanged = false
    /// Bytes at the packet's end that are of another configuration, and are to be read next.
    package var unreadBytes = 0
    /// Bytes that are not of a whole frame of this configuration.
    var unreadableBytes = 0
}
