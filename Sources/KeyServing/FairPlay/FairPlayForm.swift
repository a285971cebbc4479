import Foundation
import MediaCore
import NIOCore

/// The forms of server playback contexts in requests, and of content key contexts in answers: there is no standard for
/// it, but three habits.
enum FairPlayForm: Sendable {
    /// The form of Apple's sample server: `{"fairplay-streaming-request":{"create-ckc":[{"id":1,"spc":"<base64>"}]}}`.
    case list([(id: Int, spc: ByteBuffer)])
    /// The bytes themselves.
    case plain(ByteBuffer)
    /// A request in base64, perhaps as the field `spc` of a form.
    case base64(ByteBuffer)

    /// The most requests in a list, more than there are tracks to play at a time.
    private static let longestList = 32

    /// Reads the body of a request.
    ///
    /// - Throws: ``KeyRefusal`` for another type, and for a body that is not of its type.
    init(_ body: ByteBuffer, contentType: String?) throws(KeyRefusal) {
        let type = contentType?.prefix { $0 != ";" && $0 != " " }.lowercased()
        switch type {
        case nil, "", "application/octet-stream":
            self = .plain(body)
        case "text/plain":
            self = .base64(try Self.decoded(String(buffer: body)))
        case "application/x-www-form-urlencoded":
            let fields = String(buffer: body).split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            guard let value = fields.first(where: { $0.count == 2 && $0[0] == "spc" })?[1],
                let text = String(value).removingPercentEncoding
            else { throw Self.malformed("the form has no field spc") }
            // Many players leave + as it is, which a form reads as a space.
            self = .base64(try Self.decoded(text.replacing(" ", with: "+")))
        case "application/json":
            guard let document = try? JSONDecoder().decode(Document.self, from: Data(body.readableBytesView)) else {
                throw Self.malformed("not {\"fairplay-streaming-request\":{\"create-ckc\":[{\"id\":1,\"spc\":\"…\"}]}}")
            }
            let items = document.request.items
            guard (1...Self.longestList).contains(items.count) else {
                throw Self.malformed("there may be 1 to \(Self.longestList) SPCs")
            }
            var list: [(Int, ByteBuffer)] = []
            for item in items { list.append((item.id, try Self.decoded(item.spc))) }
            self = .list(list)
        default:
            throw KeyRefusal(
                415,
                "type-unsupported",
                "SPCs come as application/json, application/octet-stream, text/plain or a form"
            )
        }
    }

    var requests: [ByteBuffer] {
        switch self {
        case .list(let list): list.map(\.spc)
        case .plain(let spc), .base64(let spc): [spc]
        }
    }

    /// The answer in the same form.
    ///
    /// - Parameter results: One for each request.
    /// - Returns: The answer, with status 200 if any request gets its key.
    /// - Throws: The refusal of a request that comes alone.
    func answer(_ results: [Result<ByteBuffer, KeyRefusal>]) throws(KeyRefusal) -> KeyAnswer {
        switch self {
        case .list(let list):
            let items = zip(list, results).map { Document.Answer($0.id, $1) }
            let granted = results.contains { (try? $0.get()) != nil }
            let first = results.lazy.compactMap { result in
                if case .failure(let refusal) = result { refusal } else { nil }
            }.first
            let json = try? JSONEncoder.canonical.encode(["fairplay-streaming-response": ["create-ckc": items]])
            return KeyAnswer(
                ByteBuffer(bytes: json ?? Data()),
                contentType: "application/json",
                status: granted ? 200 : first?.status ?? 500,
                retryAfter: granted ? nil : first?.retryAfter
            )
        case .plain: return KeyAnswer(try Self.only(results), contentType: "application/octet-stream")
        case .base64:
            let text = Data(try Self.only(results).readableBytesView).base64EncodedString()
            return KeyAnswer(ByteBuffer(string: text), contentType: "text/plain")
        }
    }

    private static func only(_ results: [Result<ByteBuffer, KeyRefusal>]) throws(KeyRefusal) -> ByteBuffer {
        guard let result = results.first else { throw .failed }
        return try result.get()
    }

    private static func decoded(_ text: String) throws(KeyRefusal) -> ByteBuffer {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty else {
            throw malformed("an SPC is not in base64")
        }
        return ByteBuffer(bytes: data)
    }

    private static func malformed(_ message: String) -> KeyRefusal { KeyRefusal(400, "request-malformed", message) }

    private struct Document: Decodable {
        var request: Request

        enum CodingKeys: String, CodingKey {
            case request = "fairplay-streaming-request"
        }

        struct Request: Decodable {
            var items: [Item]

            enum CodingKeys: String, CodingKey {
                case items = "create-ckc"
            }
        }

        struct Item: Decodable {
            var id: Int
            var spc: String
        }

        struct Answer: Encodable {
            var id: Int
            /// 0, or the error number of Apple's own server.
            var status: Int32
            var ckc: String?
            var error: String?

            init(_ id: Int, _ result: Result<ByteBuffer, KeyRefusal>) {
                self.id = id
                switch result {
                case .success(let bytes):
                    status = 0
                    ckc = Data(bytes.readableBytesView).base64EncodedString()
                case .failure(let refusal):
                    status = refusal.number ?? -42584
                    error = refusal.code
                }
            }
        }
    }
}
