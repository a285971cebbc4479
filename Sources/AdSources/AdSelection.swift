import MediaCore

/// Selects the advertisements for a break: they fill as much of it as possible, none comes twice, and the next break
/// has others.
enum AdSelection {
    /// Tenths of a second; shorter differences are invisible.
    private static let unit = MediaTime(milliseconds: 100)
    /// The most ads that are considered; more can hardly fill a break better.
    private static let most = 64

    /// - Parameters:
    ///   - room: The length of the break.
    ///   - assets: The advertisements, in an order that all members of a pair share.
    ///   - id: The ID of the break, the same for all viewers, so that all get the same advertisements.
    /// - Returns: In the order in which they are played.
    static func filling(_ room: MediaTime, with assets: [AssetList.Asset], for id: String) -> [AssetList.Asset] {
        guard !assets.isEmpty, room > .zero else { return [] }
        let first = Int(
            id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(assets.count)
        )
        let candidates = (assets[first...] + assets[..<first]).prefix(most)
        let units = Int(min(room, MediaTime(seconds: 7200)).ticks / unit.ticks)
        // For each length, the first candidate that completes it; nil if none does.
        var last = [Int?](repeating: nil, count: units + 1)
        for (index, asset) in candidates.enumerated() {
            let length = length(of: asset)
            guard length > 0, length <= units else { continue }
            for total in stride(from: units, through: length, by: -1) where last[total] == nil {
                if total == length || last[total - length].map({ $0 < index }) == true { last[total] = index }
            }
        }
        guard var total = last.indices.last(where: { last[$0] != nil }) else { return [] }
        var chosen: [AssetList.Asset] = []
        let ordered = Array(candidates)
        while total > 0, let index = last[total] {
            chosen.append(ordered[index])
            total -= length(of: ordered[index])
        }
        return chosen.reversed()
    }

    /// The length in tenths of a second, rounded: spots of 9.98 s and 10.02 s fit where two of 10 s do.
    private static func length(of asset: AssetList.Asset) -> Int {
        Int(exactly: (asset.seconds * 10).rounded()) ?? .max
    }
}
