import Files
import HTTPServing
import NIOCore
import NIOHTTP1
import Presentation

/// Answers a request for a resource: selects its form, tries the preconditions, and selects the range.
enum ResourceAnswer {
    /// The answer to GET or HEAD of a playlist; its bytes are shared, never copied.
    ///
    /// Accepted codings choose the form, then the precondition is tried (RFC 9110 § 13.2.2). A form that is not made
    /// takes its time.
    static func answer(
        to request: Request,
        withPlaylist text: PlaylistText,
        _ accepted: AcceptEncoding,
        contentType: String,
        cacheControl: String
    ) -> Answer {
        let gzip = accepted.allowsGzip ? text.gzip : nil
        guard accepted.allowsIdentity || gzip != nil else { return notAcceptable }
        let sent = gzip ?? text.plain
        let form = PlaylistForm(body: sent.body, entityTag: sent.entityTag, isCompressed: gzip != nil)
        return answer(to: request, with: form, contentType: contentType, cacheControl: cacheControl)
    }

    /// The answer to GET or HEAD of a playlist, in a form that the request accepts.
    static func answer(
        to request: Request,
        with form: PlaylistForm,
        contentType: String = Resource.playlistType,
        cacheControl: String
    ) -> Answer {
        var fields = ResponseFields.fields(cacheControl: cacheControl, contentType: contentType, of: .playlist)
        fields.add(name: "Vary", value: "Accept-Encoding")
        if form.isCompressed { fields.add(name: "Content-Encoding", value: "gzip") }
        fields.add(name: "ETag", value: form.entityTag)
        if hasChanged(form.entityTag, for: request) { return changed }
        if let field = request["If-None-Match"], EntityTag.isListed(in: field, form.entityTag) {
            return .notModified(fields)
        }
        // Playlists are small and may be compressed: ranges are for media.
        let bytes = request.method == .HEAD ? ByteBuffer() : form.body
        return .ok(fields, bytes, byteCount: form.body.readableBytes, status: .ok)
    }

    /// The answer to GET or HEAD of media; bytes in memory are shared, never copied.
    ///
    /// Bytes that are not in memory are read from storage, and only those that are sent, or sent from their file where
    /// the request allows it. Both block. More than ``longest`` of a file, and else more than ``longestRead``, are read
    /// by `readers` while they are sent.
    ///
    /// The precondition is tried, then the range (RFC 9110 § 13.2.2). Clients are told what kind of object it is, which
    /// the resource says itself unless `object` does.
    ///
    /// - Throws: ``FileError`` if the bytes cannot be read.
    static func answer(
        to request: Request,
        with resource: Resource,
        cacheControl: String,
        as object: StreamObject? = nil,
        by readers: Readers = .live
    ) throws(FileError) -> Answer {
        let (body, entityTag) = (resource.body, resource.entityTag)
        var fields = ResponseFields.fields(
            cacheControl: cacheControl,
            contentType: resource.contentType,
            of: object ?? StreamObject(resource)
        )
        if let expires = resource.expires {
            fields.add(name: "Expires", value: HTTPDate.text(expires))
        }
        guard AcceptEncoding(request["Accept-Encoding"]).allowsIdentity else { return notAcceptable }
        fields.add(name: "ETag", value: entityTag)

        if hasChanged(entityTag, for: request) { return changed }
        if let field = request["If-None-Match"], EntityTag.isListed(in: field, entityTag) {
            return .notModified(fields)
        }
        func ok(_ range: Range<Int>? = nil, _ status: HTTPResponseStatus = .ok) throws(FileError) -> Answer {
            let count = range?.count ?? body.byteCount
            if request.method == .HEAD { return .ok(fields, ByteBuffer(), byteCount: count, status: status) }
            if count <= longest, let file = file(request, body, range) { return .ok(fields, file, status: status) }
            if count > longestRead, body.memory == nil {
                let part = range ?? 0..<count
                let stream = stream(part, of: body, by: readers, for: request.network)
                return .ok(fields, byteCount: count, status: status, stream: stream)
            }
            return .ok(fields, try body.read(range), status: status)
        }
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

    /// The bytes as a part of a file; nil if they must be read.
    private static func file(_ request: Request, _ body: Body, _ range: Range<Int>?) -> FilePart? {
        guard request.takesFiles, range?.count ?? body.byteCount >= FilePart.leastByteCount else { return nil }
        return body.place(of: range).flatMap { OpenFiles.shared.part($0) }
    }

    /// Returns true if a client continues with a representation of another tag.
    private static func hasChanged(_ entityTag: String, for request: Request) -> Bool {
        // Hardly any request has the field, and a look-up by its name allocates.
        let isConditional = request.fields.contains { $0.name.utf8.count == 8 && $0.name.lowercased() == "if-match" }
        guard isConditional, let field = request["If-Match"] else { return false }
        return !EntityTag.isMatched(in: field, entityTag)
    }

    /// The answer to a request for bytes that are there no longer: their client continues what it has begun.
    private static var changed: Answer {
        Rejection(.preconditionFailed, "it has another entity tag than If-Match names").answer()
    }

    /// The answer to a request that accepts none of the available forms.
    static var notAcceptable: Answer {
        Rejection(.notAcceptable, "there is no encoding of this that the request accepts")
            .answer(["Vary": "Accept-Encoding"])
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
