import NIOCore
import NIOHPACK
import NIOHTTP1

extension Request {
    /// Reads the head of a request of HTTP/2, whose fields were checked (RFC 9113 § 8.3.1).
    ///
    /// - Returns: Nil if it has no path, or does not name one host.
    init?(_ head: HPACKHeaders, client: Int, isSecure: Bool) {
        var method = "", path: String?, authority: String?, host: String?, hosts = 0
        var fields: [(String, String)] = []
        fields.reserveCapacity(head.count)
        for (name, value, _) in head {
            switch name {
            case ":method": method = value
            case ":path": path = value
            case ":authority": authority = value
            case ":scheme": break
            default:
                if name == "host" { (host, hosts) = (value, hosts + 1) }
                fields.append((name, value))
            }
        }
        guard var path else { return nil }
        // Nearly all paths begin with a slash; in an absolute URL, its host counts.
        if path.utf8.first != UInt8(ascii: "/"), let target = AbsoluteTarget(path) {
            (path, authority) = (target.path, target.authority)
            fields.removeAll { $0.0 == "host" }
            (host, hosts) = (nil, 0)
        }
        // A server in front may have looked at one of the two alone (§ 8.3.1).
        func plain(_ host: String) -> String {
            let (host, port) = (host.lowercased(), isSecure ? ":443" : ":80")
            return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
        }
        if let host, let authority, plain(host) != plain(authority) { return nil }
        if hosts == 0, let authority {
            fields.append(("host", authority))
            hosts = 1
        }
        guard hosts == 1 else { return nil }
        self.init(HTTPMethod(rawValue: method), path, HTTPHeaders(fields), client: client, isSecure: isSecure)
    }
}

extension PlainGet {
    /// Reads the head of a request of HTTP/2 that has no body, whose fields were checked, in the form of HTTP/1.1.
    ///
    /// - Returns: Nil if it is not a plain one, or has more bytes than `maximumBytes`.
    init?(_ head: HPACKHeaders, maximumBytes: Int = .max) {
        guard head.first(name: ":method") == "GET", let path = head.first(name: ":path") else { return nil }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        func write(_ name: String, _ value: String) {
            bytes.writeString(name)
            bytes.writeStaticString(": ")
            bytes.writeString(value)
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("GET ")
        bytes.writeString(path)
        bytes.writeStaticString(" HTTP/1.1\r\n")
        for (name, value, _) in head {
            switch name {
            case ":method", ":path", ":scheme": break
            case ":authority": write("host", value)
            default: write(name, value)
            }
        }
        bytes.writeStaticString("\r\n")
        guard bytes.readableBytes <= maximumBytes else { return nil }
        self.init(bytes)
    }
}

extension HPACKHeaders {
    /// The bytes of all names and values.
    var byteCount: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    /// The head of an answer in HTTP/2, with the `Date` field that all answers of a second share.
    init(_ answer: Answer, date: String) {
        self.init(answer)
        addEnd(date: date)
    }

    /// The head of a prepared answer.
    init(_ answer: PreparedAnswer, date: String) {
        self = answer.head.compressible
        if let more = answer.more { add(contentsOf: more.compressible) }
        addEnd(date: date)
    }

    /// The head of an answer without the fields that the connection adds.
    init(_ answer: Answer) {
        self.init()
        reserveCapacity(answer.fields.count + 4)
        add(name: ":status", value: answer.status == .ok ? "200" : String(answer.status.code))
        for (name, value) in answer.fields { addField(name.lowercased(), value) }
    }

    /// Fields that stand behind another head.
    init(fields: HTTPHeaders) {
        self.init()
        for (name, value) in fields { addField(name.lowercased(), value) }
    }

    private mutating func addEnd(date: String) {
        addField("date", date)
        addField("server", "packager")
    }

    /// Adds a field, which the encoder remembers unless it is another one for each answer.
    ///
    /// Its memory is as large as the client says, and looked through for each field: fields that a client can have in any
    /// number, as by asking for ranges, would fill it.
    private mutating func addField(_ name: String, _ value: String) {
        add(name: name, value: value, indexing: Self.lasting.contains(name) ? .indexable : .nonIndexable)
    }

    /// The fields that have few values.
    private static let lasting: Set = [
        "accept-ranges", "access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin",
        "access-control-expose-headers", "access-control-max-age", "cmsd-dynamic", "cmsd-static",
        "content-encoding", "content-type", "priority", "server", "vary", "x-packager-health",
    ]
}
