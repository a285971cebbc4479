import NIOCore

extension FileSystem {
    /// Makes a directory if it is not there, and makes sure that files can be made and removed in it.
    ///
    /// - Returns: The path that files of it begin with. The directory itself may be a link: its place is the operator's to
    ///   choose.
    /// - Throws: ``FileError`` if the directory cannot be made, or written to.
    package func claimDirectory(_ path: String) throws(FileError) -> String {
        let directory = path + "/."
        try makeDirectory(directory)
        let test = "\(directory)/.packager\(LocalFileSystem.temporarySuffix)"
        try create(test, ByteBuffer())
        try remove(test)
        return directory
    }
}
