import Glibc

/// Standard input: unlike libavformat's own `pipe:`, a read here ends when the signal is raised.
final class StandardInput: ByteSource {
    private let signal: StopSignal

    init(signal: StopSignal) {
        self.signal = signal
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        while !signal.isRaised {
            var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // An interrupted or timed out poll is just another round.
            guard unsafe poll(&descriptor, 1, 100) > 0 else { continue }
            let count = unsafe Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            if count > 0 { return Int32(count) }
            if count == 0 { return FFmpegError.endOfFile }
            if errno != EINTR, errno != EAGAIN { return FFmpegError.posix(errno) }
        }
        return FFmpegError.exitRequested
    }
}
