import Foundation
import MediaCore
import NIOCore
import Scheduling

/// Timed metadata that somebody wants in the stream: an ID3 tag, whole or frame by frame.
struct PostedMetadata: Hashable {
    /// Of an ID3 tag, version 2.
    var tag: [UInt8]
    /// When it is due, in UTC.
    var time: MediaTime

    /// A segment has it in every rendition.
    private static let longest = 16_384

    /// Reads tags: `{"at": TIME, "frames": [{"id": "TXXX", "description": …, "value": …}]}`, `{"at": TIME, "tag": BASE64}`, or
    /// several as `{"metadata": […]}`.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - now: What "now" is, when it is due unless it says otherwise.
    /// - Returns: In order.
    /// - Throws: ``MalformedCommand`` with all problems.
    static func posted(json: ByteBuffer, now: MediaTime) throws(MalformedCommand) -> [PostedMetadata] {
        let items = try JSONValue.items(json, "metadata")
        var (posted, problems): ([PostedMetadata], [String]) = ([], [])
        for (index, item) in items.enumerated() {
            do throws(MalformedCommand) {
                posted.append(try PostedMetadata(CommandFields(item, now: now)))
            } catch {
                problems += error.problems.map { items.count == 1 ? $0 : "metadata[\(index)]: \($0)" }
            }
        }
        if !problems.isEmpty { throw MalformedCommand(problems) }
        return posted
    }

    private init(_ given: CommandFields) throws(MalformedCommand) {
        var fields = given
        time = fields.takeTime("at") ?? fields.now
        if fields.names.contains("tag") {
            tag = fields.takeTag()
        } else {
            tag = ID3Tag.bytes(of: fields.takeFrames())
        }
        fields.refuseOthers(known: "at, tag, frames")
        if tag.count > Self.longest { fields.refuse("the tag is longer than \(Self.longest) bytes") }
        if !fields.problems.isEmpty { throw MalformedCommand(fields.problems) }
    }

    var content: ScheduleAction.Content { .metadata(tag, at: time) }
}

extension CommandFields {
    /// A whole tag in Base64.
    fileprivate mutating func takeTag() -> [UInt8] {
        guard let text = takeText("tag", upTo: 1 << 16) else { return [] }
        let bytes = Data(base64Encoded: text).map { [UInt8]($0) } ?? []
        if !ID3Tag.isWhole(bytes) { refuse("\"tag\" must be a whole ID3 tag of version 2 in Base64") }
        return bytes
    }

    fileprivate mutating func takeFrames() -> [ID3Tag.Frame] {
        guard case .array(let values)? = take("frames"), !values.isEmpty else {
            refuse("\"frames\" must be a list with something in it, where there is no \"tag\"")
            return []
        }
        return values.enumerated().compactMap { index, value in
            if case .object(let object) = value {
                var fields = CommandFields(object, now: now)
                let frame = ID3Tag.Frame(from: &fields)
                fields.refuseOthers(known: "id, and what its frame has: value, description, owner, base64")
                for problem in fields.problems { refuse("frames[\(index)]: \(problem)") }
                return frame
            }
            refuse("frames[\(index)] must be an object")
            return nil
        }
    }
}

extension ID3Tag.Frame {
    /// Nil where something is missing, which `fields` has noted.
    fileprivate init?(from fields: inout CommandFields) {
        guard let id = fields.takeText("id", upTo: 4) else {
            fields.refuse("\"id\" is missing: TXXX, PRIV, or a text frame such as TIT2")
            return nil
        }
        switch id {
        case "PRIV":
            let owner = fields.takeText("owner", upTo: 1024)
            let data = fields.takeText("base64", upTo: 1 << 16).flatMap { Data(base64Encoded: $0) }
            guard let owner, let data, !owner.utf8.contains(0) else {
                fields.refuse("PRIV needs \"owner\" and \"base64\"")
                return nil
            }
            self = .privateData(owner: owner, [UInt8](data))
        case let id where ID3Tag.isTextFrame(id):
            let description = id == "TXXX" ? fields.takeText("description") ?? "" : ""
            guard let value = fields.takeText("value", upTo: 1 << 14), !value.utf8.contains(0),
                !description.utf8.contains(0)
            else {
                fields.refuse("\(id) needs a \"value\"")
                return nil
            }
            self = id == "TXXX" ? .userText(description: description, value) : .text(id: id, value)
        default:
            fields.refuse("\"id\" must be TXXX, PRIV, or that of a text frame such as TIT2")
            return nil
        }
    }
}
