package import MediaCore

/// The reason why an asset cannot be made, in words.
package enum AssetError: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingRecorded
    case noProgramme
    case noEnd
    /// A programme has more than so much time.
    case tooLong(MediaTime)
    case noRendition(String, known: [String])
    /// A file was removed from the recording meanwhile.
    case gone(path: String)
    /// The disk has too little room, by so many bytes.
    case noRoom(missing: Int)
    /// There are no keys to replace.
    case nothingEncrypted
    /// A key of the time is unknown, with the key source's reason; nil if it gave none.
    case unknownKey(uri: String, reason: String?)
    /// Media is encrypted, and its keys are not available.
    case withoutKeys
    /// The key source gives other keys than when the asset was made.
    case otherKeys

    package var description: String {
        switch self {
        case .nothingRecorded: "nothing of that time is recorded"
        case .noProgramme: "the stream does not announce this programme"
        case .noEnd: "the end of the programme is not known"
        case .tooLong(let longest):
            "the programme is longer than a recording of this kind may be: \(longest.ticks / MediaTime(seconds: 3600).ticks) h"
        case .noRendition(let name, let known):
            "there is no rendition \"\(name)\"; renditions: \(known.joined(separator: ", "))"
        case .gone(let path): "\(path) was removed from the recording while the asset was made; raise record-for"
        case .noRoom(let missing):
            "the disk lacks \((missing + 999_999) / 1_000_000) MB: \(AssetDiskSpace.reserve / 1_000_000) MB stay free, so that "
                + "channels do not lose their oldest slots; free space, or lower record-size"
        case .nothingEncrypted: "nothing of that time is encrypted, so there are no keys to replace"
        case .unknownKey(let uri, let reason):
            "the key of that time at \(uri.prefix(120)) is no longer available"
                + (reason.map { ": \($0)" }
                    ?? "; key-source, key-secret, key-rotation or key-classes has changed since then")
        case .withoutKeys:
            "that time is encrypted, and the recording has no keys: let a running packager make the MP4 file, "
                + "or make a copy, which stays encrypted"
        case .otherKeys:
            "the key source gives other keys than when it was made; restore key-source, key-secret, key-classes "
                + "and content-id"
        }
    }
}
