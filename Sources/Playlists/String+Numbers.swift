/// Numbers as playlists write them: decimal digits, by integer arithmetic alone.
extension String {
    /// Appends at least `digits` digits, with leading zeros, and a minus sign before them where there is need.
    mutating func append(_ value: Int64, digits: Int = 1) {
        let text = String(value.magnitude)
        if value < 0 { append("-") }
        for _ in 0..<max(0, digits - text.utf8.count) { append("0") }
        append(text)
    }

    /// Appends a count of thousandths (`decimals` 3), millionths (6) or the like with exactly that many decimals.
    mutating func append(_ count: Int64, decimals: Int) {
        let unit = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
        if count < 0 { append("-") }
        append("\(count.magnitude / unit.magnitude).")
        append(Int64(count.magnitude % unit.magnitude), digits: decimals)
    }
}
