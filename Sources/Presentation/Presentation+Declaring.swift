package import Playlists
import Synchronization

/// Declarations that hold for the playlists of all following slots.
extension Presentation {
    /// Declares the renditions of every following slot, in the order in which players shall see them.
    ///
    /// The change takes effect with the next slot: a missing rendition loses its playlist, and a new one appears with
    /// its first media.
    package func declare(renditions: [RenditionDescription]) {
        change { $0.declare(renditions) }
    }

    /// Sets the keys that the multivariant playlist offers for prefetching.
    package func setSessionKeys(_ keys: [EncryptionKey]) {
        update { state in state.setSessionKeys(keys) }
    }

    /// Sets the keys that the media playlists announce: the next of each rendition.
    package func setKeyHints(_ hints: [RenditionID: KeyHint]) {
        update { state in state.setKeyHints(hints) }
    }

    /// Sets the key sources' demands on players and screens.
    package func setPlaybackTerms(_ terms: [RenditionID: PlaybackTerms]) {
        update { state in state.setPlaybackTerms(terms) }
    }

    /// Declares no less BANDWIDTH than a peer that has the same feed, so that the two agree.
    ///
    /// Renditions that have not been published here are ignored, and so are impossible values.
    ///
    /// While a slot is being published, the call has no effect: the peer is asked again.
    package func raiseMeters(to peer: [RenditionID: BandwidthMeter]) {
        order.withLockIfAvailable { _ in show(change { $0.raiseMeters(to: peer) }) }
    }
}
