/// Numbers as text.
enum Decimals {
    /// A number with up to so many decimals, none of them a zero at the end.
    static func text(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((value * Double(scale)).rounded())
        let sign = scaled < 0 ? "-" : ""
        var fraction = scale == 1 ? "" : String(abs(scaled) % scale + scale).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(sign)\(abs(scaled) / scale)\(fraction.isEmpty ? "" : ".")\(fraction)"
    }
}
