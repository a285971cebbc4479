import NIOHTTP2

extension Error {
    /// True if the body of a request of HTTP/2 is malformed (RFC 9113 § 8.1.1), and the rest of its connection is not.
    ///
    /// The handler of frames says no more than that: it has reset the stream already.
    var concernsOneRequest: Bool {
        switch self {
        case is NIOHTTP2Errors.ContentLengthViolated, is NIOHTTP2Errors.ContentLengthHeadersMismatch,
            is NIOHTTP2Errors.ContentLengthHeaderNegative, is NIOHTTP2Errors.ContentLengthHeaderMalformedValue,
            is NIOHTTP2Errors.TrailersWithoutEndStream:
            true
        default:
            false
        }
    }
}
