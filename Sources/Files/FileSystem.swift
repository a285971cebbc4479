package import NIOCore

/// The operations that a journal and a directory need of a disk; each is visible to the next process when its call
/// returns.
///
/// Only plain files are read and written, and only in real directories: a FIFO would block the caller without end, and
/// a symbolic link could lead to files of others. Above the last directory links are followed, so that `state/./file`
/// is for a directory that an operator has named, which may be a link.
package protocol FileSystem: Sendable {
    /// Makes a directory and all above it. It may exist, unless it is a symbolic link.
    func makeDirectory(_ path: String) throws(FileError)
    /// Makes a file whose lock is held until the result is released, at the latest until this process ends.
    ///
    /// - Returns: Nil if someone else holds it.
    func lock(_ path: String) throws(FileError) -> (any HeldLock)?
    /// The names in a directory, in no particular order; none if there is no directory.
    func list(_ path: String) throws(FileError) -> [String]
    /// The bytes of a file; nil if there is none.
    ///
    /// A file that is longer than the limit is an error, and is not read.
    func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer?
    /// Exactly these bytes of a file; that it ends before them is an error.
    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer
    /// Returns the place of bytes of a file, for callers that open it themselves; nil if it is not a file of this
    /// machine.
    func place(of range: Range<Int>, in path: String) -> FilePlace?
    /// The length of a file in bytes; nil if there is none.
    func byteCount(of path: String) throws(FileError) -> Int?
    /// The bytes that can still be written to the disk that a file or directory is on.
    func availableByteCount(of path: String) throws(FileError) -> Int
    /// Makes a file of these bytes, replacing any of its name; if that fails, there is no file of the name.
    func create(_ path: String, _ bytes: ByteBuffer) throws(FileError)
    /// Makes a file of these bytes, which takes the place on the disk of another one in its directory; that one is gone.
    ///
    /// Overwriting costs less than finding new blocks and freeing the old ones. Bytes that another program may still
    /// read are not overwritten; but a network that has not sent them yet may send the new ones. So this is for files
    /// that nobody is expected to read.
    func create(_ path: String, _ bytes: ByteBuffer, inPlaceOf old: String) throws(FileError)
    /// Replaces a file in one step: readers find the old bytes or the new ones. After a failure, they find
    /// the old ones.
    func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError)
    /// Reserves room for the first `byteCount` bytes of a file, which is made if it is missing, so that a later write
    /// into them does not fail for want of room.
    func reserve(_ path: String, byteCount: Int) throws(FileError)
    /// Overwrites bytes of an existing file, or appends bytes.
    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError)
    /// Removes a file; one that is not there will do.
    func remove(_ path: String) throws(FileError)
    /// Removes an empty directory; one that is not there will do.
    func removeDirectory(_ path: String) throws(FileError)
    /// Returns once a file's bytes withstand a power cut.
    func synchronize(_ path: String) throws(FileError)
}

/// A lock on a file that is held until the last reference to it is gone.
package protocol HeldLock: AnyObject, Sendable {
    /// Returns true if the locked file still has the path by which it was locked.
    ///
    /// It does not if the file or its directory was removed or replaced, or if its disk was unmounted.
    ///
    /// - Throws: ``FileError`` if that cannot be found out.
    func isInPlace() throws(FileError) -> Bool
}

extension FileSystem {
    package func place(of range: Range<Int>, in path: String) -> FilePlace? { nil }

    package func create(_ path: String, _ bytes: ByteBuffer, inPlaceOf old: String) throws(FileError) {
        try remove(old)
        try create(path, bytes)
    }
}
