import Foundation
import MediaCore
import Operations

/// A request for timed metadata in the stream: an ID3 tag, whole or frame by frame.
struct PostedMetadata: PostedCommand, Hashable {
    /// The bytes of an ID3 tag, version 2.
    var tag: [UInt8]
    /// The time at which it is due, in UTC.
    var time: MediaTime

    /// A segment has it in every rendition.
    private static let longest = 16_384

    static let plural = "metadata"

    /// Reads `{"at": TIME, "frames": [{"id": "TXXX", "description": …, "value": …}]}` or `{"at": TIME, "tag": BASE64}`.
    ///
    /// The default time is now.
    init(_ fields: inout CommandFields) {
        time = fields.takeTime("at") ?? fields.now
        tag =
            fields.has("tag")
            ? fields.takeTag() : ID3Tag.bytes(of: fields.takeList("frames") { $0.takeFrame() })
        fields.refuseOthers(known: "at, tag, frames")
        if tag.count > Self.longest { fields.refuse("the tag is longer than \(Self.longest) bytes") }
    }

    var content: ScheduleAction.Content { .metadata(tag, at: time) }

    func answer(_ outcome: ScheduleOutcome) -> ScheduleAnswer { ScheduleAnswer(at: time, outcome) }
}

extension CommandFields {
    /// A whole tag in Base64.
    fileprivate mutating func takeTag() -> [UInt8] {
        guard let text = takeText("tag", in: 1...1 << 16) else { return [] }
        let bytes = Data(base64Encoded: text).map { [UInt8]($0) } ?? []
        if !ID3Tag.isWhole(bytes) { refuse("\"tag\" must be a whole ID3 tag of version 2 in Base64") }
        return bytes
    }

    /// A frame; keys of other kinds of frames are refused.
    fileprivate mutating func takeFrame() -> ID3Tag.Frame? {
        guard let frame = ID3Tag.Frame(from: &self) else { return nil }
        refuseOthers(known: "id, value, and description of TXXX; or id, owner, base64 of PRIV")
        return frame
    }
}

extension ID3Tag.Frame {
    /// Reads one frame; fails if a field is missing or wrong, with the reason in `fields`.
    fileprivate init?(from fields: inout CommandFields) {
        guard let id = fields.takeText("id", in: 4...4) else {
            fields.refuseUnlessRefused("\"id\" is missing: TXXX, PRIV, or a text frame such as TIT2")
            return nil
        }
        switch id {
        case "PRIV":
            let owner = fields.takeText("owner", in: 0...1024)
            let data = fields.takeText("base64", in: 0...1 << 16).flatMap { Data(base64Encoded: $0) }
            guard let owner, let data, !owner.utf8.contains(0) else {
                fields.refuseUnlessRefused("PRIV needs \"owner\" and \"base64\"")
                return nil
            }
            self = .privateData(owner: owner, [UInt8](data))
        case let id where ID3Tag.isTextFrame(id):
            let description = id == "TXXX" ? fields.takeText("description", in: 0...4096) ?? "" : ""
            guard let value = fields.takeText("value", in: 1...1 << 14), !value.utf8.contains(0),
                !description.utf8.contains(0)
            else {
                fields.refuseUnlessRefused("\(id) needs a \"value\"")
                return nil
            }
            self = id == "TXXX" ? .userText(description: description, value) : .text(id: id, value)
        default:
            fields.refuse("\"id\" must be TXXX, PRIV, or that of a text frame such as TIT2")
            return nil
        }
    }
}
