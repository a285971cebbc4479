import MediaCore

/// Numbers as playlists write them: decimal digits, by integer arithmetic alone.
extension String {
    /// Appends a count of thousandths (`decimals` 3), millionths (6) or the like with exactly that many decimals.
    mutating func append(_ count: Int64, decimals: Int) {
        let unit = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
        if count < 0 { append("-") }
        append("\(count.magnitude / unit.magnitude).")
        append(Int64(count.magnitude % unit.magnitude), digits: decimals)
    }
}
