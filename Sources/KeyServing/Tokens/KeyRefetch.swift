import MediaCore

/// Decides when the keys of tokens are fetched again.
struct KeyRefetch: Hashable, Sendable {
    /// The greatest age of keys while there are requests, so that a key that was withdrawn is forgotten.
    static let maximumAge = MediaTime(seconds: 300)
    /// The least time between two fetches: anybody can make up the name of a key.
    static let minimumInterval = MediaTime(seconds: 10)

    private var lastBegun: MediaTime?
    private var isUnderWay = false

    init() {}

    /// Takes a token.
    ///
    /// - Parameters:
    ///   - isUnknown: True if the key that it names is not in the set.
    ///   - now: The time of a clock that never goes back.
    /// - Returns: True if the keys are to be fetched now.
    mutating func tokenCame(isUnknown: Bool, at now: MediaTime) -> Bool {
        let interval = isUnknown ? Self.minimumInterval : Self.maximumAge
        if isUnderWay { return false }
        if let lastBegun, now - lastBegun < interval { return false }
        began(at: now)
        return true
    }

    /// Notes that the keys are being fetched.
    mutating func began(at now: MediaTime) {
        lastBegun = now
        isUnderWay = true
    }

    /// Notes that the fetch has ended, with or without success.
    mutating func ended() { isUnderWay = false }

    /// True if a key that is not known may be so in a moment.
    var isPending: Bool { isUnderWay }
}
