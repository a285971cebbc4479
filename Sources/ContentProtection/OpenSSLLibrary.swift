import COpenSSL

/// The system's OpenSSL.
package enum OpenSSLLibrary {
    /// The version of the library, such as `OpenSSL 3.0.17 1 Jul 2025`.
    package static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
