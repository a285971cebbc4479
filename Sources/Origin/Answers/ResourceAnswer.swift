package import Files
package import HTTPServing
import NIOCore
import NIOHTTP1
package import Presentation

/// Answers a request for a resource: which form of it, whether at all, and which part.
package enum ResourceAnswer {
    /// The answer to GET or HEAD; bytes in memory are shared, never copied.
    ///
    /// What is not in memory is read, and only what is sent of it: that takes its time.
    ///
    /// Accepted codings choose the form, then the precondition is tried, then the range (RFC 9110 § 13.2.2).
    ///
    /// - Throws: ``FileError`` where the bytes cannot be read.
    package static func answer(
        to request: Request,
        with resource: Resource,
        cacheControl: String
    ) throws(FileError) -> Answer {
        var body = resource.body
        var entityTag = resource.entityTag
        var fields = ResponseFields.fields(cacheControl: cacheControl, contentType: resource.contentType)
        if let expires = resource.expires {
            fields.add(name: "Expires", value: HTTPDate.text(expires))
        }
        let accepted = AcceptEncoding(request["Accept-Encoding"])
        var isAcceptable = accepted.allowsIdentity
        if resource.isCompressible { fields.add(name: "Vary", value: "Accept-Encoding") }
        if accepted.allowsGzip, let gzip = resource.gzip {
            isAcceptable = true
            (body, entityTag) = (.memory(gzip.body), gzip.entityTag)
            fields.add(name: "Content-Encoding", value: "gzip")
        }
        guard isAcceptable else {
            return Rejection(.notAcceptable, "there is no encoding of this that the request accepts")
                .answer(["Vary": "Accept-Encoding"])
        }
        fields.add(name: "ETag", value: entityTag)

        if let field = request["If-None-Match"], EntityTag.isListed(in: field, entityTag) {
            return .notModified(fields)
        }
        // Playlists are small and may be compressed: ranges are for media.
        func ok(_ range: Range<Int>? = nil, _ status: HTTPResponseStatus = .ok) throws(FileError) -> Answer {
            let bytes = request.method == .HEAD ? ByteBuffer() : try body.read(range)
            return .ok(fields, bytes, byteCount: range?.count ?? body.byteCount, status: status)
        }
        if resource.kind.isPlaylist { return try ok() }
        fields.add(name: "Accept-Ranges", value: "bytes")
        switch requestedRange(of: request, entityTag: entityTag, length: body.byteCount) {
        case .whole:
            return try ok()
        case .part(let range):
            let contentRange = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.byteCount)"
            fields.add(name: "Content-Range", value: contentRange)
            return try ok(range, .partialContent)
        case .unsatisfiable:
            return Rejection(.rangeNotSatisfiable, "the range lies outside of \(body.byteCount) bytes")
                .answer(["Content-Range": "bytes */\(body.byteCount)"])
        }
    }

    private static func requestedRange(of request: Request, entityTag: String, length: Int) -> RequestedRange {
        // RFC 9110 § 14.2: a range means something to GET only.
        guard request.method == .GET, let range = request["Range"] else { return .whole }
        if let field = request["If-Range"], !EntityTag.allowsRange(ifRange: field, entityTag) {
            return .whole
        }
        return RequestedRange(range, length: length)
    }
}

extension Resource.Kind {
    var isPlaylist: Bool {
        switch self {
        case .multivariantPlaylist, .mediaPlaylist: true
        case .segment, .initialization: false
        }
    }
}
