import Glibc

/// Tables of the kernel, such as its sockets (proc(5)).
package enum KernelTable {
    /// Reads a table to its end.
    ///
    /// The kernel gives a page at a time and no size: Foundation takes the first page for the whole table, which has room
    /// for 27 sockets.
    ///
    /// - Returns: The text; empty if there is no such table.
    package static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}
