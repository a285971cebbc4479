import ContentProtection
import MediaCore
import Playlists

extension ChannelEngine {
    /// A track of the channel, and its rendition for viewers.
    struct Rendition: Sendable {
        var plan: RenditionPlan
        /// The rendition's ID; nil for a track that has had no media, and for audio that is only carried.
        var id: RenditionID?
        /// The description by an earlier run, until it has media again.
        var restored: RestoredRendition?
        /// True if it has left the playlists, and no track has claimed it since.
        var hasLeft = false
        /// The class of the key that protects its newest media; nil while that is not known.
        var keyClass: KeyClass?
        /// The input of its newest media, which a switch is told by also after a gap: at first that of the newest slot of
        /// an earlier run, or of a peer; nil if no input filled that.
        var formerInput: InputID?
        /// The content of its newest slot.
        var onAir = OnAir.nothing
        /// True from the decision on its first media until viewers have some of it.
        var isAwaited = false
        /// True if it has been without media since slots that began before the start of the channel.
        var isLostByRestart = false
        /// The loss of its media; nil while an input has some.
        var loss: Loss?
        /// The return of its media, until viewers have some of it.
        var comeback: Comeback?
        /// The input that an operator has chosen and that is not on air yet.
        var chosen: InputID?
        /// True if its audio is in the CODECS of the video that carries it.
        var isDeclaredAudio = false
        /// True for a video whose segments had audio in an earlier run.
        var hasCarriedAudio = false
        /// The tags and sections of segments that were gaps, or that were published in parts before.
        var postponed = Postponed()
        /// The tags that its segments, or their parts, carry.
        var carriedTags = CarriedTags()

        /// Notes that an earlier run has published it.
        mutating func restore(_ description: RenditionDescription) {
            restored = RestoredRendition(description: description)
            hasCarriedAudio = description.kind == .video && description.codecs.count > 1
        }

        /// Notes that an input has media for it again.
        ///
        /// - Parameters:
        ///   - input: The input.
        ///   - slot: The first slot that it fills.
        mutating func comesBack(from input: InputID, in slot: MediaSequenceNumber) {
            // An earlier return of which viewers have had nothing was none for them.
            let losses = [comeback?.loss, loss].compactMap(\.self)
            comeback = Comeback(input: input, slot: slot, loss: losses.first)
            if losses.contains(where: \.isLogged) { comeback?.loss?.isLogged = true }
            loss = nil
        }
    }

    /// The loss of a rendition's media.
    struct Loss: Sendable {
        /// The first slot that no input has media for.
        let since: MediaSequenceNumber
        /// True if the log has a line about it at the usual level.
        var isLogged = false
    }

    /// The return of a rendition's media.
    struct Comeback: Sendable {
        /// The input that has it.
        var input: InputID
        /// The first slot that it fills.
        var slot: MediaSequenceNumber
        /// The loss that it ends; nil if only segments could not be written.
        var loss: Loss?
    }
}
