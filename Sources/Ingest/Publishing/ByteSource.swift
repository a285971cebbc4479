/// A source of bytes that libavformat reads.
protocol ByteSource: AnyObject, Sendable {
    /// Waits for bytes.
    ///
    /// - Parameter buffer: Filled from its beginning on.
    /// - Returns: How many there are, or a code of ``FFmpegError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32
}
