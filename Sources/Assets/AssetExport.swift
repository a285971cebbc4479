import Files
import Foundation
import Glibc
package import MediaCore
package import Operations
package import Recording

/// Makes finished recordings of the directory of a recording, each for a place of its own: no channel has to run.
///
/// The directory is only read. The keys of its media are not known here.
package struct AssetExport: Sendable {
    private let recording: RecordingReader
    private let fileSystem = LocalFileSystem.published

    /// Opens the recording of a channel for reading.
    ///
    /// - Parameters:
    ///   - directory: The directory of the recording.
    ///   - channel: The channel's name.
    /// - Throws: `RecordingError` if the directory cannot be read, or is no recording, or that of another channel.
    package init(of directory: String, channel: String) throws(RecordingError) {
        recording = try RecordingReader(directory, channel: channel)
    }

    /// Checks a request against the limits of finished recordings and the extent of the recording.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: UTC.
    /// - Throws: `AssetRefusal` if it cannot be met.
    package func check(_ request: AssetRequest, now: MediaTime) throws(AssetRefusal) {
        let slot = recording.segmentDuration
        let recorded = recording.extent.map { slot * $0.lowerBound.value..<slot * $0.upperBound.value }
        try AssetSchedule().check(request, among: [], recorded: recorded, now: now)
    }

    /// Makes an asset; it appears whole or not at all, and waits for the disk.
    ///
    /// - Parameters:
    ///   - request: The request: with times, and of another form than a reference.
    ///   - destination: The path of the directory of a copy, or of the MP4 file, which must not exist.
    /// - Returns: A summary.
    /// - Throws: An error that says in words why there is no asset.
    package func make(_ request: AssetRequest, at destination: String) async throws -> AssetMaker.Made {
        let maker = AssetMaker(
            recording,
            slot: recording.segmentDuration,
            keys: { _ in throw AssetError.withoutKeys },
            fileSystem: fileSystem
        )
        let unfinished = "\(destination).\(getpid())\(LocalFileSystem.temporarySuffix)"
        do {
            let made = try await maker.make(request, programme: nil, in: unfinished)
            try fileSystem.synchronizeDisk(of: unfinished)
            let whole = request.form == .mp4 ? "\(unfinished)/\(made.file)" : unfinished
            guard rename(whole, destination) == 0 else {
                throw FileError(operation: "rename", path: whole, code: errno)
            }
            if whole != unfinished { try? fileSystem.removeDirectory(unfinished) }
            return made
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
    }
}
