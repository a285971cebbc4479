import MediaCore

/// An entry of the event log.
struct RecordedEvent {
    var time: MediaTime
    /// Kind, input, rendition and slot, and the message.
    var text: String
}
