import NIOCore
import NIOHPACK
import NIOHTTP1

extension Request {
    /// Reads the head of a request of HTTP/2, whose fields were checked (RFC 9113 § 8.3.1).
    ///
    /// - Returns: Nil if it has no path, or does not name one host.
    init?(_ head: HPACKHeaders, client: Int, isSecure: Bool) {
        var method = "", path: String?, authority: String?, hosts = 0
        var fields: [(String, String)] = []
        fields.reserveCapacity(head.count)
        for (name, value, _) in head {
            switch name {
            case ":method": method = value
            case ":path": path = value
            case ":authority": authority = value
            case ":scheme": break
            default:
                if name == "host" { hosts += 1 }
                fields.append((name, value))
            }
        }
        guard var path else { return nil }
        // Nearly all begin so; a whole URL names the host that counts.
        if path.utf8.first != UInt8(ascii: "/"), let target = AbsoluteTarget(path) {
            (path, authority) = (target.path, target.authority)
            fields.removeAll { $0.0 == "host" }
            hosts = 0
        }
        if hosts == 0, let authority {
            fields.append(("host", authority))
            hosts = 1
        }
        guard hosts == 1 else { return nil }
        self.init(HTTPMethod(rawValue: method), path, HTTPHeaders(fields), client: client, isSecure: isSecure)
    }
}

extension HPACKHeaders {
    /// Writes the head of an answer as HTTP/2 has it, with the `Date` field that is made for all answers of a second.
    init(_ answer: Answer, date: String) {
        self.init()
        reserveCapacity(answer.fields.count + 3)
        add(name: ":status", value: answer.status == .ok ? "200" : String(answer.status.code))
        for (name, value) in answer.fields { addField(name.lowercased(), value) }
        addField("date", date)
        addField("server", "packager")
    }

    /// Adds a field, which the encoder remembers unless it is another one for each answer.
    ///
    /// Its memory is as large as the client says, and looked through for each field: fields that a client can have in any
    /// number, as by asking for ranges, would fill it.
    mutating func addField(_ name: String, _ value: String) {
        add(name: name, value: value, indexing: Self.lasting.contains(name) ? .indexable : .nonIndexable)
    }

    /// The fields that have few values.
    private static let lasting: Set = [
        "accept-ranges", "access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin",
        "access-control-expose-headers", "access-control-max-age", "content-encoding", "content-type", "server", "vary",
        "x-packager-health",
    ]
}
