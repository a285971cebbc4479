import Archive
import ContentProtection
import Files
import MediaCore
import NIOCore
import PackagerConfig
import Playlists
import Presentation

/// Copies of a channel for others than its viewers.
extension ChannelAssembly {
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - localizedNames: The names of renditions in other languages, as JSON, for a file beside the playlists.
    ///   - keys: Files that are written before the playlists that name them.
    ///   - watch: Gets the disk's problems.
    /// - Returns: The mirror; nil if there are no files.
    /// - Throws: ``SetupError`` if the directory cannot be used.
    func mirror(
        for settings: ChannelConfiguration,
        localizedNames: ByteBuffer?,
        keys: KeyFiles?,
        _ watch: DiskWatch
    ) throws(SetupError) -> DirectoryMirror? {
        guard let directory = settings.output else { return nil }
        do throws(FileError) {
            return try DirectoryMirror(
                directory: directory,
                constants: localizedNames.map { [SessionDatum.localizedNamesFile: $0] } ?? [:],
                waits: !settings.isRealtime,
                keepsAll: settings.keepsWholeFeed || settings.endsByItself,
                isFollowed: !settings.endsByItself,
                keys: keys
            ) { watch.note($0) }
        } catch {
            throw SetupError("output", of: settings.name, "\(error)")
        }
    }

    func keyFiles(for settings: ChannelConfiguration, _ watch: DiskWatch) throws(SetupError) -> KeyFiles? {
        guard let directory = settings.outputKeys else { return nil }
        do throws(FileError) {
            return try KeyFiles(directory: directory, waits: !settings.isRealtime) { watch.note($0) }
        } catch {
            throw SetupError("output-keys", of: settings.name, "\(error)")
        }
    }
}

extension KeyFiles {
    /// Writes the keys of published segments from a directory of keys.
    func take(from directory: any KeyDirectory, for presentation: Presentation) {
        // The presentation owns its consumers, and thereby this closure.
        take { [weak presentation] in
            guard let presentation else { return Keys() }
            let slots = presentation.slotsWithKeys
            let keys = try directory.keys(availableFor: slots)
            let bytes = Dictionary(keys.map { ("\($0)", ByteBuffer(bytes: $1.contentKey.bytes)) }) { first, _ in first }
            return Keys(bytes, isWhole: directory.hasKeys(of: slots))
        }
    }
}
