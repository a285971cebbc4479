package import HTTPTypes
package import Hummingbird
package import MediaCore
import NIOCore
package import Presentation

/// Answers a request for a resource: which form of it, whether at all, and which part.
package enum ResourceAnswer {
    /// The answer to GET or HEAD; the stored bytes are shared, never copied.
    ///
    /// Accepted codings choose the form, then the precondition is tried, then the range (RFC 9110 § 13.2.2). `now` is
    /// UTC, counted from 1970.
    package static func response(
        to request: HTTPRequest,
        with resource: Resource,
        policy: CachePolicy,
        now: MediaTime
    ) -> Response {
        var body = resource.body
        var entityTag = resource.entityTag
        var fields = ResponseFields.fields(
            cacheControl: policy.cacheControl(resource, now: now),
            contentType: resource.contentType
        )
        if let expires = resource.expires {
            fields.append(HTTPField(name: .expires, value: HTTPDate.text(expires)))
        }
        if let gzip = resource.gzip, let gzipEntityTag = resource.gzipEntityTag {
            fields.append(HTTPField(name: .vary, value: "Accept-Encoding"))
            if AcceptEncoding.allowsGzip(request.headerFields[.acceptEncoding]) {
                (body, entityTag) = (gzip, gzipEntityTag)
                fields.append(HTTPField(name: .contentEncoding, value: "gzip"))
            }
        }
        fields.append(HTTPField(name: .eTag, value: entityTag))

        if let field = request.headerFields[.ifNoneMatch], EntityTag.isListed(in: field, entityTag) {
            return .notModified(fields)
        }
        // Playlists are small and may be compressed: ranges are for media.
        if resource.kind.isPlaylist { return .ok(fields, body) }
        fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
        switch requestedRange(of: request, entityTag: entityTag, length: body.readableBytes) {
        case .whole:
            return .ok(fields, body)
        case .part(let range):
            guard let part = body.getSlice(at: body.readerIndex + range.lowerBound, length: range.count) else {
                return .ok(fields, body)
            }
            let contentRange = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.readableBytes)"
            fields.append(HTTPField(name: .contentRange, value: contentRange))
            return Response(status: .partialContent, headers: fields, body: ResponseBody(byteBuffer: part))
        case .unsatisfiable:
            return Rejection(.rangeNotSatisfiable, "the range lies outside of \(body.readableBytes) bytes")
                .response([.contentRange: "bytes */\(body.readableBytes)"])
        }
    }

    private static func requestedRange(of request: HTTPRequest, entityTag: String, length: Int) -> RequestedRange {
        // RFC 9110 § 14.2: a range means something to GET only.
        guard request.method == .get, let range = request.headerFields[.range] else { return .whole }
        if let field = request.headerFields[.ifRange], !EntityTag.allowsRange(ifRange: field, entityTag) {
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

extension Response {
    static func ok(_ fields: HTTPFields, _ body: ByteBuffer) -> Response {
        Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body))
    }

    /// RFC 9110 § 15.4.5: what a 200 would say, without what describes a body.
    static func notModified(_ fields: HTTPFields) -> Response {
        var response = Response(status: .notModified, headers: fields)
        response.headers[.contentLength] = nil
        response.headers[.contentType] = nil
        response.headers[.contentEncoding] = nil
        return response
    }
}
