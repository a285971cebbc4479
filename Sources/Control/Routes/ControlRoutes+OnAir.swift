import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1

/// The sources on air, in words and as a picture.
extension ControlRoutes {
    func answerOnAir(_ request: ControlRequest) throws -> Answer {
        try JSON.answer(.ok, try channel(request).onAir)
    }

    /// A picture of the programme on air, or of the input in the path.
    func answerThumbnail(_ request: ControlRequest) async throws -> Answer {
        let channel = try channel(request)
        let picture: ByteBuffer
        do throws(ThumbnailError) {
            picture = try await channel.thumbnail(of: request.names["input"].map(String.init))
        } catch {
            throw Refusal(.notFound, [error.description])
        }
        var fields = AnswerFields.fields(contentType: "image/jpeg")
        // Browsers validate the file each time, but do not load it again.
        fields.replaceOrAdd(name: "Cache-Control", value: "private, no-cache")
        let tag = "\"\(ContentHash(of: picture))\""
        fields.add(name: "ETag", value: tag)
        if request.head.field("If-None-Match")?.contains(tag) == true { return .notModified(fields) }
        return .ok(fields, picture)
    }
}
