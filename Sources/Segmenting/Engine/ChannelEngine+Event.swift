package import ContentProtection
package import MediaCore
package import NIOCore
package import Operations
package import Playlists
package import Timeline

extension ChannelEngine {
    /// What a channel may hear.
    package enum Event: Sendable {
        /// There is an input; to be said of each before anything else of it.
        case added(InputID, InputPace)
        /// An input is open, for the first time, again, or with other tracks.
        case opened(InputID, [InputTrack])
        /// What it delivers follows; the modulus is where its timestamps wrap, in 90 kHz ticks.
        ///
        /// A stored input comes to it once the channel has started, for it can wait for others.
        case began(InputID, [InputTrack], timestampModulus: Int64?)
        case packet(InputID, ReadPacket)
        /// An ID3 tag of an input, and its timestamp.
        case metadata(InputID, timestamp: Int64, ByteBuffer)
        /// Cues of declared subtitles, by their index; on the timeline of UTC.
        case cues(Int, [Cue])
        /// People or programs want something on air.
        case scheduled([ScheduleAction], ScheduleOrigin)
        /// An input says when its programme is spliced, or something else of it.
        case splice(InputID, SpliceMessage)
        /// An input broke off, or could not be opened.
        case lost(InputID, reason: String)
        /// A finite input has come to its end.
        case ended(InputID)
        case noticed(InputID, InputNotice)
        /// A track cannot be read for what its header says.
        case unreadable(InputID, track: Int, problem: String)
        /// What its pictures show, or its audio, was looked into.
        case examined(InputID, ContentFinding)
        /// Time went by, and playlists are refused for these reasons; to be said several times a second.
        case timeAdvanced([FailureCondition])
        /// An operator wants an input on air, beginning with the next slot that can be; the name is a client's of the
        /// control API.
        case selected(InputID, holds: Bool, by: String? = nil)
        /// An operator leaves the choice to the channel.
        case selectedAutomatically(by: String? = nil)
        /// Another has read these inputs until now, and had them there; to be said before anything of them but that they are.
        case inherited([InputID: InputTimeline.Placement])
        /// An earlier run has published this, and what remains of it is listed again; to be said before anything of inputs.
        case resumed(PublishedWindow)
        /// A peer has published this, and is to be waited for; to be said before anything of inputs.
        case joins(PublishedWindow)
        /// The peer has published more.
        case peerPublished(PublishedWindow)
        /// The first slot that the peer has ever listed.
        case peerBegan(MediaSequenceNumber)
        /// A slot is not listed, since there is nothing to begin with.
        case passedOver(MediaSequenceNumber)
        /// A segment of a rendition could not be written, or not in time; this stands in its slot for it.
        case notWritten(RenditionID, MediaSequenceNumber, SlotDecision.Fallback, reason: String)
        /// A key source has keys of a period, each of which is named once for each key system.
        case keysArrived(CryptoPeriod, [KeyClass: [KeyReference]])
        /// A key source has no keys of a period but those that it gave.
        case keysFailed(CryptoPeriod, reason: String)
    }
}
