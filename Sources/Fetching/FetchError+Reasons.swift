import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL

extension FetchError {
    /// The reason why a request has failed, in words for operators.
    ///
    /// - Parameters:
    ///   - error: The error of the client or of the network.
    ///   - url: The URL of the request.
    ///   - limit: The most bytes of the body.
    init(_ error: any Error, url: String, limit: Int) {
        switch error {
        case let error as FetchError: self = error
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .tooLarge(limit: limit)
        case let error as HTTPClientError: self.init(error, url: url)
        case HTTPParserError.invalidEOFState: self = .failed("the answer ended early")
        case is HTTPParserError: self = .failed("the answer is not HTTP")
        // The description of an IOError contains stray brackets.
        case let error as IOError: self = .connection(String(cString: strerror(error.errnoCode)))
        case NIOSSLError.handshakeFailed(let error) where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            self = .connection("the certificate of the server is signed by none that is trusted, or is not valid now")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self = .connection("the certificate of the server is of another host")
        default: self = .connection("\(error)")
        }
    }

    private init(_ error: HTTPClientError, url: String) {
        switch error {
        case .cancelled: self = .cancelled
        case .invalidURL, .emptyHost: self = .invalidURL(url)
        case .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            self = .timeout
        default: self = .connection(error.shortDescription)
        }
    }
}
