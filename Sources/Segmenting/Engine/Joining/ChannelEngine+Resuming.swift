import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// Return to the window of an earlier run, or of a peer.
extension ChannelEngine {
    /// Continues from the window of an earlier run, or with its numbers only, if playlists no longer list any of it.
    mutating func resume(_ window: PublishedWindow) {
        guard let newest = window.newest else { return }
        ledger.restore(window)
        ledger.newestBefore = newest
        guard window.isListed else { return }
        begin(after: window)
        note(.restored, "The window up to slot \(newest) was taken over.", slot: newest)
        logRestored(upTo: newest, from: "what was published before")
    }

    /// Logs that a window was restored, up to its newest slot.
    mutating func logRestored(upTo newest: MediaSequenceNumber, from whom: String) {
        log(.notice, "window restored", ["from": "\(whom)", "slot": .number(Int(newest.value))])
    }

    mutating func begin(after window: PublishedWindow) {
        guard let newest = window.newest else { return }
        let sourceCount = configuration.positions.map(configuration.sourceCount).max() ?? 1
        var ends: [SegmentEnd] = []
        var codecs: [String?] = []
        for description in window.renditions {
            // A rendition whose time does not match the slot's cannot be continued.
            guard let edge = window.edges[description.id],
                abs((edge.start - configuration.grid.start(of: newest)).ticks)
                    <= configuration.grid.longestSegment.ticks
            else { continue }
            let description = description.namedInWords
            let place = add(RenditionPlan(description), sourceCount: sourceCount)
            renditions[place].id = description.id
            renditions[place].restore(description)
            renditions[place].keyClass = configuration.keyClasses.keyClass(of: description)
            ends.append(SegmentEnd(edge))
            codecs.append(description.codecs.first)
        }
        segmenter.resume(after: newest, ends: ends, codecs: codecs)
        for place in renditions.indices {
            segmenter.resume(renditions[place].id.flatMap { window.open[$0] } ?? [], track: place)
        }
        restoreSelection(window)
        restoreProgramme(window)
    }

    /// Continues with the choice of inputs of an earlier run, or of a peer.
    ///
    /// - Parameter window: The window of renditions that have their places; the call is repeated when the peer's window
    ///   has grown.
    mutating func restoreSelection(_ window: PublishedWindow) {
        for place in renditions.indices {
            guard let edge = renditions[place].id.flatMap({ window.edges[$0] }), let selection = edge.selection
            else { continue }
            segmenter.restore(selection, track: place)
            renditions[place].formerInput = edge.isGap ? nil : input(of: place, rank: selection.active)
        }
    }
}
