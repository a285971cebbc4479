/// The values that AC-3 and Enhanced AC-3 write alike (ETSI TS 102 366 § 4.4.1.3, 4.4.2.3, E.1.3.1.8, F.6.2.13).
enum DolbyAudio {
    static func sampleRate(code: UInt8) -> Int {
        switch code {
        case 1: 44_100
        case 2: 32_000
        default: 48_000
        }
    }

    static func channels(mode: UInt8, hasLowFrequencyEffects: Bool) -> Int {
        let full = [2, 1, 2, 3, 3, 4, 4, 5][Int(mode & 7)]
        return full + (hasLowFrequencyEffects ? 1 : 0)
    }

    /// Channels that dependent substreams add: pairs but for Cs, Ts and LFE2.
    static func channels(locations: UInt16) -> Int {
        // Lc/Rc, Lrs/Rrs, Cs, Ts, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Cvh, LFE2, from bit 0 on.
        let counts = [2, 2, 1, 1, 2, 2, 2, 1, 1]
        return counts.indices.reduce(0) { $0 + (locations >> UInt16($1) & 1 == 1 ? counts[$1] : 0) }
    }
}
