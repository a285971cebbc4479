import MediaCore

extension SavedWindow {
    /// This window with what a twin has listed since, or the twin's where the two do not touch.
    ///
    /// What this one has listed stays as it is, for a published line is never changed (RFC 8216bis § 6.2.1).
    package func continued(by twin: SavedWindow) -> SavedWindow {
        guard let last = lastNumber, let twinLast = twin.lastNumber else { return lastNumber == nil ? twin : self }
        guard twinLast > last else { return self }
        guard !window.isEmpty, let first = twin.window.first?.number, first <= last.next,
            Set(renditions.map(\.id)) == Set(twin.renditions.map(\.id))
        else { return twin }
        var merged = self
        for slot in twin.window.slots where slot.number > last { merged.window.append(slot) }
        merged.sessionKeys = twin.sessionKeys
        return merged
    }
}
