import MediaCore
import NIOCore
import Playlists
import Presentation

/// Files that are still sent when the origin no longer serves them.
extension PushPlan {
    /// The number of slots for which an object waits before its bytes are written to disk.
    private static let patientSlots: Int64 = 2

    /// Takes the files that an earlier process has left on disk, with their sizes.
    mutating func restore(_ backlog: [(path: String, byteCount: Int)], at now: Instant) {
        for (path, byteCount) in backlog where files[path] == nil {
            guard let info = SavedWindow.File(leftAt: path, byteCount: byteCount) else { continue }
            files[path] = File(info: info, since: now, isUnknown: true, isServed: false)
            pending.insert(path)
            late.append(path)
            keep(path, byteCount: byteCount)
        }
    }

    /// The files whose bytes are written to disk, because the origin may stop serving them before they are sent.
    var filesToKeep: [String] {
        guard expiry == .keep, let newest else { return [] }
        return pending.filter { path in
            guard let file = files[path] else { return false }
            return file.isServed && file.keptBytes == nil && !file.isShed
                && file.info.lastNumber.value < newest.value - Self.patientSlots
        }
    }

    /// Drops the oldest files on disk until the others have room.
    ///
    /// Files that the origin still serves lose only their place on disk: playlists wait until they are sent.
    mutating func shed(to limit: Int) {
        guard backlogBytes > limit else { return }
        for path in Array(late) + Array(queue) {
            if backlogBytes <= limit { return }
            guard let file = files[path], file.keptBytes != nil, pending.contains(path) else { continue }
            guard file.isServed else {
                drop(path)
                continue
            }
            files[path]?.isShed = true
            release(path)
        }
    }
}

extension SavedWindow.File {
    /// The file that a path names; nil for paths of another form.
    fileprivate init?(leftAt path: String, byteCount: Int) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !path.contains("..") else { return nil }
        let number = MediaSequenceNumber(Int64(parts[1].prefix { $0 != "." }) ?? 0)
        self.init(
            path: path,
            rendition: RenditionID(String(parts[0])),
            entityTag: "",
            byteCount: byteCount,
            firstNumber: number,
            lastNumber: number
        )
    }
}
