import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore

/// What is on air, in words and as a picture.
extension ControlRoutes {
    func answerOnAir(_ context: ControlContext) throws -> Response {
        try JSON.response(.ok, try channel(context).onAir)
    }

    /// A picture of what is on air, or of the input that the path names.
    func answerThumbnail(_ request: Request, _ context: ControlContext) async throws -> Response {
        let channel = try channel(context)
        let picture: ByteBuffer
        do throws(ThumbnailError) {
            picture = try await channel.thumbnail(of: context.parameters.get("input"))
        } catch {
            throw Refusal(.notFound, [error.description])
        }
        var fields = AnswerFields.fields(contentType: "image/jpeg")
        // Asked for again each time, but not sent again.
        fields[.cacheControl] = "private, no-cache"
        let tag = "\"\(ContentHash(of: picture))\""
        fields[.eTag] = tag
        if request.headers[.ifNoneMatch]?.contains(tag) == true {
            fields[.contentType] = nil
            return Response(status: .notModified, headers: fields)
        }
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: picture))
    }
}
