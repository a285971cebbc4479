import Playlists
import TestSupport
import Testing

/// The condition of a channel while its keys change.
enum RotationCondition: String, CaseIterable, CustomTestStringConvertible {
    case encoderLost = "the encoder is lost for a while"
    case backupTakesOver = "a backup takes over"
    case killed = "the packager is killed, and goes on from its journal"
    case joinsPeer = "a packager joins its peer"
    case otherPictures = "a slate of another size stands between discontinuities"
    case newTrack = "another language comes"

    var testDescription: String { rawValue }

    /// The packager's arguments for it, by flag.
    func flags(_ fixture: PairFixture) -> [String: String] {
        switch self {
        case .encoderLost, .joinsPeer, .newTrack: [:]
        case .backupTakesOver: ["--backup": fixture.feed(of: 1)]
        case .killed: ["--state": fixture.file("state")]
        // The feed has 180 lines, and this 360.
        case .otherPictures: ["--on-loss": "slate", "--slate": Repository.slate]
        }
    }

    /// The number of times that pictures and audio continue elsewhere in the feed, without a gap.
    var seams: Int {
        switch self {
        case .newTrack: 2
        case .killed: 1
        case .encoderLost, .backupTakesOver, .joinsPeer, .otherPictures: 0
        }
    }

    var breaksTheFeed: Bool { ![.backupTakesOver, .joinsPeer].contains(self) }

    /// Returns true if it is to be seen in the playlist of the picture, and nothing else is.
    func isSeen(in playlist: MediaPlaylist) -> Bool {
        let (hasGaps, hasDiscontinuities) = (
            playlist.segments.contains(where: \.isGap), playlist.segments.contains(where: \.startsDiscontinuity)
        )
        return switch self {
        case .encoderLost: hasGaps && !hasDiscontinuities
        case .otherPictures: !hasGaps && hasDiscontinuities
        case .backupTakesOver, .joinsPeer: !hasGaps && !hasDiscontinuities
        case .killed, .newTrack: !hasDiscontinuities
        }
    }
}

extension RotationCondition {
    /// Brings it about.
    ///
    /// - Parameters:
    ///   - packager: The channel's.
    ///   - fixture: Its feed.
    ///   - flags: What the packager was told.
    /// - Returns: Who packages the channel from now on.
    /// - Throws: ``NotInTime`` if it does not come to that.
    func befall(
        _ packager: PackagerProcess,
        _ fixture: PairFixture,
        _ flags: [String: String]
    ) async throws -> PackagerProcess {
        switch self {
        case .encoderLost, .otherPictures:
            fixture.relay.set(.cut, to: 0)
            _ = try await packager.mediaPlaylist("video-180p", "two slots without the feed") { playlist in
                playlist.segments.count(where: \.isGap) >= 2
                    || playlist.segments.suffix(2).contains(where: \.startsDiscontinuity)
            }
            fixture.relay.set(.intact, to: 0)
        case .backupTakesOver:
            fixture.relay.set(.cut, to: 0)
        case .killed:
            packager.program.kill()
            _ = await packager.program.exitCode()
            return try await fixture.packager(0, flags, port: packager.port)
        case .joinsPeer:
            return try await fixture.packager(1, flags.merging(["--peer": packager.origin]) { own, _ in own })
        case .newTrack:
            try await fixture.send(.twoLanguages)
        }
        return packager
    }
}
