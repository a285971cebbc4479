import COpenSSL

/// A call into libcrypto that failed: memory is exhausted, or the library is configured without the algorithm.
package struct OpenSSLError: Error, Hashable, CustomStringConvertible {
    /// The C function.
    var operation: String
    /// The oldest entry of this thread's error queue; 0 if there was none.
    var code: UInt

    /// Takes the reason from this thread's error queue and empties the queue.
    package init(_ operation: StaticString) {
        self.operation = "\(operation)"
        self.code = ERR_get_error()
        ERR_clear_error()
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe text.withUnsafeMutableBufferPointer { unsafe ERR_error_string_n(code, $0.baseAddress, $0.count) }
        return "\(operation): " + String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
