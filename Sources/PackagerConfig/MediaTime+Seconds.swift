import MediaCore

extension MediaTime {
    /// Seconds with their unit: `4 s`.
    var text: String { "\(decimalSeconds) s" }
}
