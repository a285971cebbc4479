/// A source of bytes that libavformat reads.
protocol ByteSource: AnyObject, Sendable {
    /// Waits for bytes.
    ///
    /// - Parameter buffer: Filled from its beginning on.
    /// - Returns: The number of bytes, or a code of ``FFmpegError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32
}
