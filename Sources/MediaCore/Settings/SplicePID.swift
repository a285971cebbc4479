/// The PID of a transport stream's SCTE-35.
package enum SplicePID: Hashable, Sendable {
    /// All streams of type 0x86, whether or not their program map registers `CUEI`.
    case automatic
    /// 16 to 8190 (ISO/IEC 13818-1 Table 2-3).
    case number(Int)
}

extension SplicePID: CustomStringConvertible {
    package var description: String {
        switch self {
        case .automatic: "auto"
        case .number(let number): "\(number)"
        }
    }
}
