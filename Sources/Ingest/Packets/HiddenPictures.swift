import MediaCore

/// Retimes pictures that an MP4's edit list hides: others are predicted from them, but they are not to be shown.
///
/// A file that was cut without encoding it anew begins with the key frame before the cut, and its edit list (ISO/IEC
/// 14496-12 § 8.6.6) begins at the cut. HLS has no edit lists, so the pictures in between are shown at a tick each,
/// right before the first one that is to be seen, which keeps its time. From the first hidden picture on all wait until
/// it is known which one that is.
struct HiddenPictures {
    typealias Picture = (info: PacketInfo, bytes: [UInt8])

    /// The most pictures, half a minute at 60 a second: an edit list that hides more makes no sense live.
    static let mostPictures = 2000
    /// The bytes of half a minute at 30 Mbit/s.
    static let mostBytes = 128 << 20

    private var held: [Picture] = []
    private var byteCount = 0

    /// Takes a packet.
    ///
    /// - Parameters:
    ///   - info: Its timestamps have not been reduced by any modulus: MP4 has none.
    ///   - payload: One picture.
    /// - Returns: The pictures that can go by now, in order of decoding; nil if it is this packet, as it is.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> [Picture]? {
        if held.isEmpty, !info.isHidden { return nil }
        let picture = (info, payload.array)
        // A picture that is decoded only when the first visible one is shown is not shown before it.
        if let start = held.firstVisible, info.decodeTimestamp.map({ $0 >= start }) ?? true {
            let released = take().squeezed
            if !info.isHidden { return released + [picture] }
            hold(picture)
            return released
        }
        hold(picture)
        return held.count > Self.mostPictures || byteCount > Self.mostBytes ? finish() : []
    }

    /// Ends the stream.
    ///
    /// - Returns: The pictures that waited, in order of decoding. Hidden pictures that no visible one comes after are
    ///   of no use.
    mutating func finish() -> [Picture] {
        let rest = take()
        return Array(rest[...(rest.lastIndex { !$0.info.isHidden } ?? -1)]).squeezed
    }

    private mutating func hold(_ picture: Picture) {
        held.append(picture)
        byteCount += picture.bytes.count
    }

    private mutating func take() -> [Picture] {
        defer { (held, byteCount) = ([], 0) }
        return held
    }
}

extension [HiddenPictures.Picture] {
    /// The time at which the first visible one is presented.
    fileprivate var firstVisible: Int64? {
        lazy.filter { !$0.info.isHidden }.compactMap(\.info.presentationTimestamp).min()
    }

    /// Returns the pictures with next to no time for the hidden ones before the first visible one.
    fileprivate var squeezed: Self {
        guard let visible = firstVisible else { return self }
        let hidden = indices.filter {
            self[$0].info.isHidden && (self[$0].info.presentationTimestamp ?? visible) < visible
        }
        .sorted { self[$0].info.presentationTimestamp ?? visible < self[$1].info.presentationTimestamp ?? visible }
        guard let first = hidden.first, let start = self[first].info.presentationTimestamp,
            let decoded = self[first].info.decodeTimestamp
        else { return self }
        // Each is decoded a tick after the one before it, and no later than it is shown.
        let reordering = zip(hidden, 0...).lazy.map { $0 - $1 }.max() ?? 0
        let begin = visible - Int64(hidden.count + reordering)
        var result = self
        for (rank, index) in hidden.enumerated() {
            result[index].info.presentationTimestamp = begin + Int64(rank == 0 ? 0 : rank + reordering)
        }
        for index in indices {
            let earliest = begin - (start - decoded) + Int64(index)
            result[index].info.decodeTimestamp = self[index].info.decodeTimestamp.map { Swift.max($0, earliest) }
        }
        return result
    }
}
