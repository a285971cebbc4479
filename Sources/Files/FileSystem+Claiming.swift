import NIOCore

extension FileSystem {
    /// Makes a directory if it is missing, and makes sure that files can be made and removed in it.
    ///
    /// - Returns: The path that its files begin with. The directory itself may be a link: the operator chooses its
    ///   place.
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
