/// The tags of the EXT-X-CUE-OUT family that playlists have beside date ranges, for ad servers that read nothing else.
package enum CueOutTags: String, Hashable, Sendable, CaseIterable {
    case none
    /// `EXT-X-CUE-OUT:DURATION=30.000`.
    case duration
    /// `EXT-X-CUE-OUT:30.000` below `EXT-OATCLS-SCTE35`, and the section with each EXT-X-CUE-OUT-CONT.
    case enhanced
}
