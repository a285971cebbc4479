package import MediaCore

/// Derives the keys of a channel: a pure function of master secret, channel name and slot.
///
/// All holders of the secret derive the same keys, whether they package, stand by or serve keys. Derived keys are kept
/// for a while, shared among the copies of a schedule.
package struct KeySchedule: Sendable {
    package let periods: CryptoPeriods
    package let classes: KeyClasses

    private let secret: MasterSecret
    private let channel: String
    private let keySize: KeySize
    private let cache = KeyCache()

    /// - Parameters:
    ///   - secret: The secret that the keys are derived from.
    ///   - channel: The channel's name: channels of one secret have unrelated keys.
    ///   - slotsPerPeriod: Positive, or nil for keys that never change.
    ///   - classes: The classes of tracks that have keys of their own.
    ///   - keySize: The length of content keys: those of different lengths are unrelated, and so are their IDs.
    package init(
        secret: MasterSecret,
        channel: String,
        slotsPerPeriod: Int64?,
        classes: KeyClasses = KeyClasses(),
        keySize: KeySize = .bits128
    ) {
        self.secret = secret
        self.channel = channel
        self.classes = classes
        self.keySize = keySize
        periods = CryptoPeriods(slotsPerPeriod: slotsPerPeriod)
    }

    /// Makes the schedule of a finished recording of the channel.
    ///
    /// No channel has a slash in its name, so that its keys are related to the keys of none. All who hold the secret
    /// derive the same ones.
    ///
    /// - Parameter id: The ID of the recording.
    /// - Returns: The schedule, whose keys never change.
    package func schedule(ofRecording id: String) -> KeySchedule {
        KeySchedule(
            secret: secret,
            channel: Self.content(ofRecording: id, of: channel),
            slotsPerPeriod: nil,
            classes: classes,
            keySize: keySize
        )
    }

    /// Makes the name that the keys of a finished recording are derived for, or asked for.
    ///
    /// - Parameters:
    ///   - id: The ID of the recording.
    ///   - content: The name of the channel, or the one that a key server knows it by.
    /// - Returns: The name.
    package static func content(ofRecording id: String, of content: String) -> String { "\(content)/recordings/\(id)" }

    /// The keys of one class of tracks in one period.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package func keys(for period: CryptoPeriod, _ keyClass: KeyClass) throws(OpenSSLError) -> PeriodKey {
        if let key = cache.key(for: period, keyClass) { return key }
        let key = try derive(period, keyClass)
        cache.insert(key)
        return key
    }

    /// All keys that a client may have now, by their IDs.
    ///
    /// A key may be had while a slot of its period is among `slots`, and one period early, for players that fetch ahead.
    ///
    /// - Parameter slots: The slots whose segments are listed or still served, and the live edge, in any order.
    /// - Returns: Keys of this channel only.
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package func keys(
        availableFor slots: some Sequence<MediaSequenceNumber>
    ) throws(OpenSSLError) -> [KeyID: PeriodKey] {
        var periods = Set(slots.map(self.periods.period))
        if self.periods.slotsPerPeriod != nil, let newest = periods.max() { periods.insert(newest.next) }
        var keys: [KeyID: PeriodKey] = [:]
        for period in periods {
            for keyClass in classes.all {
                let key = try self.keys(for: period, keyClass)
                keys[key.keyID] = key
            }
        }
        return keys
    }

    /// A value that is made with the secret and tells nothing of it, to know it by.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package func secretName() throws(OpenSSLError) -> KeyID {
        // The ID of a key, whatever the channel is encrypted with, which is public anyway.
        KeyID(try derive(periods.period(of: MediaSequenceNumber(0)), .video, .keyID))
    }

    /// Returns the token that a member of a pair shows the other one.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package func peerToken() throws(OpenSSLError) -> PeerToken {
        PeerToken(try derive(PeerToken.info(channel: channel)))
    }

    /// The ID alone, which is looked for among very many.
    func derivedKeyID(for period: CryptoPeriod, _ keyClass: KeyClass) throws(OpenSSLError) -> KeyID {
        KeyID(try derive(period, keyClass, keySize == .bits256 ? .longKeyID : .keyID))
    }

    private func derive(_ period: CryptoPeriod, _ keyClass: KeyClass) throws(OpenSSLError) -> PeriodKey {
        let long = keySize == .bits256
        var contentKey = ContentKey(try derive(period, keyClass, long ? .longContentKey : .contentKey))
        if long { contentKey.secondHalf = try derive(period, keyClass, .longContentKeyEnd) }
        return PeriodKey(
            period: period,
            keyClass: keyClass,
            keyID: try derivedKeyID(for: period, keyClass),
            contentKey: contentKey,
            constantIV: try derive(period, keyClass, .constantIV)
        )
    }

    private func derive(
        _ period: CryptoPeriod,
        _ keyClass: KeyClass,
        _ purpose: DerivationInfo.Purpose
    ) throws(OpenSSLError) -> Bytes16 {
        try derive(DerivationInfo(channel: channel, period: period, keyClass: keyClass, purpose: purpose).bytes)
    }

    private func derive(_ info: [UInt8]) throws(OpenSSLError) -> Bytes16 {
        let bytes = try HKDF.derive(secret: secret.bytes, salt: [], info: info, count: 16)
        let word = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return Bytes16(high: word(bytes[..<8]), low: word(bytes[8...]))
    }
}
