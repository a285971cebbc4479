import Foundation
import Glibc

/// Hears of files that are made or written in some directories, as soon as the kernel knows.
final class WriteWatch: Sendable {
    private let descriptor = inotify_init1(CInt(IN_CLOEXEC))

    /// - Parameter directories: They are made where they are not there.
    /// - Throws: If they cannot be made.
    init(_ directories: [String]) throws {
        for directory in directories {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            inotify_add_watch(descriptor, directory, UInt32(IN_CREATE | IN_MODIFY))
        }
    }

    deinit { close(descriptor) }

    /// Waits until so many files were made or written.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - seconds: It waits no longer than this for any of them.
    ///   - action: Done at once then.
    func wait(for count: Int, within seconds: Int, then action: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            // A thread that does nothing else: what is wanted is over in a millisecond.
            Thread.detachNewThread {
                self.wait(for: count, within: seconds)
                action()
                continuation.resume()
            }
        }
    }

    private func wait(for count: Int, within seconds: Int) {
        var count = count
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while count > 0, poll(&request, 1, CInt(seconds * 1000)) > 0 {
            let end = read(descriptor, &buffer, buffer.count)
            var offset = 0
            while offset < end {
                // inotify(7): descriptor, mask, cookie and length of the name, four bytes each, and the name.
                let length = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self) }
                offset += 16 + Int(length)
                count -= 1
            }
        }
    }
}
