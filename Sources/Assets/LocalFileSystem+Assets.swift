import Files
import Foundation
import Glibc
import NIOCore
import Operations

/// The records of finished assets on disk.
extension LocalFileSystem {
    /// Bytes that no record comes near.
    private static let longestRecord = 1 << 20

    /// Reads the records of assets by ID, and finishes removals that an earlier process began.
    ///
    /// - Parameters:
    ///   - directory: The directory of the assets.
    ///   - count: The most entries that are looked at.
    ///   - note: Notes records that cannot be read.
    /// - Returns: Those that can be read; none if the directory cannot be.
    func assetRecords(in directory: String, most count: Int, note: (AssetEvent) -> Void) -> [String: AssetRecord] {
        var records: [String: AssetRecord] = [:]
        var problems: [FileError] = []
        for name in assetNames(in: directory, note: note).sorted().prefix(count) {
            let path = "\(directory)/\(name)"
            do throws(FileError) {
                guard let record = try record(in: path) else { continue }
                if name == record.id {
                    records[name] = record
                } else if name == record.id + Self.temporarySuffix {
                    removeAsset(path)
                }
            } catch {
                problems.append(error)
            }
        }
        if let first = problems.first { note(.skipped(count: problems.count, reason: first.description)) }
        return records
    }

    /// Removes the directory of an asset.
    func removeAsset(_ folder: String) {
        // The record is removed last: if this process ends before, a later one uses it to find the remaining files.
        clearAsset(folder)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Removes all files of an asset but its record.
    func clearAsset(_ folder: String) {
        for name in (try? list(folder)) ?? [] where name != AssetLibrary.recordFile {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func assetNames(in directory: String, note: (AssetEvent) -> Void) -> [String] {
        do throws(FileError) {
            var status = stat()
            if lstat(directory, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
                throw FileError(operation: "list", path: directory, code: ENOTDIR)
            }
            return try list(directory)
        } catch {
            note(.unopened(reason: error.description))
            return []
        }
    }

    /// Reads the record of an asset; returns nil if there is none.
    private func record(in folder: String) throws(FileError) -> AssetRecord? {
        let path = "\(folder)/\(AssetLibrary.recordFile)"
        guard let bytes = try read(path, limit: Self.longestRecord) else { return nil }
        guard let record = try? JSONDecoder().decode(AssetRecord.self, from: Data(bytes.readableBytesView)) else {
            throw FileError(operation: "read", path: path, reason: "it is no record of a finished recording")
        }
        return record
    }
}
