import Glibc

/// The parts of sending a file without reading it.
extension OpenFile {
    /// Opens a plain file to be read, without waiting for anybody.
    ///
    /// - Throws: ``FileError``, also if a symbolic link has its name.
    package static func plain(_ path: String) throws(FileError) -> OpenFile {
        let file = try OpenFile(path, O_RDONLY)
        try file.status()
        return file
    }

    /// The identity of a file, which no other one has while it is open.
    package struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64

        fileprivate init(_ status: stat) {
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// Returns the identity of the file at a path; nil if there is none.
    package static func identity(of path: String) -> Identity? {
        var status = stat()
        return lstat(path, &status) == 0 ? Identity(status) : nil
    }

    /// The identity of the file; nil if the system does not say it.
    package var identity: Identity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Identity(status) : nil
    }

    /// True if no name leads to it any more, so that closing it gives its room on the disk back.
    package var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Returns true if it reaches at least up to an offset; it does not wait for the disk.
    package func reaches(_ offset: Int) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && Int(status.st_size) >= offset
    }

    /// Loads bytes into the page cache, without a copy: sending them next does not wait for the disk.
    ///
    /// - Returns: False if some cannot be read.
    package func load(_ range: Range<Int>) -> Bool {
        guard let sink = Self.sink else { return false }
        var offset = off_t(range.lowerBound)
        let end = off_t(range.upperBound)
        while offset < end {
            let missing = Int(end - offset)
            let count = sendfile(sink.descriptor, descriptor, &offset, missing)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
        }
        return true
    }

    /// `/dev/null`; nil if it cannot be opened.
    private static let sink = try? OpenFile("/dev/null", O_WRONLY)
}
