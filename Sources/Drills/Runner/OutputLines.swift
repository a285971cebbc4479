import Foundation
import Glibc
import SystemPackage

/// The lines that a process and those after it write, until the last of them has ended.
struct OutputLines: Sendable {
    let lines: AsyncStream<String>
    /// The end for writing; this process closes it once the first child has it.
    let writing: FileDescriptor

    /// - Throws: The error of the system if there is no pipe.
    init() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        // Other children would keep the pipe open.
        for end in [reading, writing] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        self.writing = writing
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while let count = try? buffer.withUnsafeMutableBytes({ try reading.read(into: $0) }), count > 0 {
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeFirst(end + 1)
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
            try? reading.close()
        }
    }
}
