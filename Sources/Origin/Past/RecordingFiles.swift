package import Files
package import MediaCore
package import Presentation

/// The files of a channel's finished assets, by `ID/PATH`; those of an asset that is ready never change.
package protocol RecordingFiles: BodyStore {
    /// Returns the length of a file that viewers may have. It waits for the disk.
    ///
    /// - Returns: Bytes; nil if there is none.
    func byteCount(of path: Substring) throws(FileError) -> Int?

    /// The UTC from which on viewers get a file no more, counted from 1970; nil for never.
    func expiry(of path: Substring) -> MediaTime?

    /// The slots with whose media keys of the channel begin, for the recording of a file: one for each key.
    func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber]
}
