package import ContentProtection
package import MediaCore
package import NIOCore
package import Operations
package import Playlists
package import Timeline

extension ChannelEngine {
    /// An event that a channel's engine takes.
    package enum Event: Sendable {
        /// An input was added; this event precedes all others of the input.
        case added(InputID, InputPace)
        /// An input is open, for the first time, again, or with other tracks.
        case opened(InputID, [InputTrack])
        /// An input begins to send packets; the modulus is the value at which its timestamps wrap, in 90 kHz ticks.
        ///
        /// A stored input begins once the channel has started, because it can wait for others.
        case began(InputID, [InputTrack], timestampModulus: Int64?)
        case packet(InputID, ReadPacket)
        /// An ID3 tag of an input, and its timestamp.
        case metadata(InputID, timestamp: Int64, ByteBuffer)
        /// Cues of declared subtitles, by their index, on the timeline of UTC.
        case cues(Int, [Cue])
        /// People or programs have scheduled something.
        case scheduled([ScheduleAction], ScheduleOrigin)
        /// An input announces a splice of its programme, or another splice message.
        case splice(InputID, SpliceMessage)
        /// An input broke off, or could not be opened.
        case lost(InputID, reason: String)
        /// A finite input has come to its end.
        case ended(InputID)
        case noticed(InputID, InputNotice)
        /// A track cannot be read because of its header.
        case unreadable(InputID, track: InputTrackIndex, problem: String)
        /// The pictures or the audio of an input were examined.
        case examined(InputID, ContentFinding)
        /// Time went by, and playlists are refused for these reasons; this event comes several times a second.
        case timeAdvanced([FailureCondition])
        /// An operator wants an input on air, beginning with the next slot that can be; the name is a client's of the
        /// control API.
        case selected(InputID, holds: Bool, by: String? = nil)
        /// An operator has held an input of the channel before this one.
        case kept(InputID)
        /// An operator has held an input of the channel before this one, which has its feed no longer; the text names both.
        case holdEnded(String)
        /// An operator leaves the choice to the channel.
        case selectedAutomatically(by: String? = nil)
        /// Another process has read these inputs until now, and had them there; of each input only ``added(_:_:)``
        /// comes before.
        case inherited([InputID: InputTimeline.Placement], isRepeated: Bool)
        /// An earlier run has published this window, and the rest of it is listed again; this event precedes all others
        /// of inputs.
        case resumed(PublishedWindow)
        /// A peer has published this window, and is to be waited for; this event precedes all others of inputs.
        case joins(PublishedWindow)
        /// The peer has published more slots.
        case peerPublished(PublishedWindow)
        /// The peer has reported the first slot that it ever listed.
        case peerBegan(MediaSequenceNumber)
        /// A slot is not listed, because the playlists cannot begin with it.
        case passedOver(MediaSequenceNumber)
        /// A segment of a rendition was not written, or not in time; the fallback takes its place in the slot.
        case notWritten(RenditionID, MediaSequenceNumber, SlotDecision.Fallback, reason: String)
        /// A key source has sent the keys of a period, each named once for each key system.
        case keysArrived(CryptoPeriod, [KeyClass: [KeyReference]])
        /// A key source has no more keys for a period than it has sent.
        case keysFailed(CryptoPeriod, reason: String)
    }
}
