package import NIOHTTP1

extension HTTPRequestHead {
    /// True if nothing may be read after this request (RFC 9112 § 9.3).
    package var isLastOfConnection: Bool {
        // HTTP/1.0 connections never persist: an answer would have to say so in a header field.
        // After an upgrade that is offered, or a tunnel, NIO's decoder reads nothing more.
        return version == .http1_0 || !isKeepAlive || method == .CONNECT || headers.contains(name: "upgrade")
    }

    /// Returns the request with its target in origin form; the host in the target overrides `Host`.
    ///
    /// RFC 9112 § 3.2.2: a server takes targets in absolute form, and then the host in them is the one that counts.
    ///
    /// - Returns: Nil if the request must be refused. RFC 9112 § 3.2 requires exactly one Host field, because a proxy
    ///   may understand a request with none or several differently.
    package func inOriginForm() -> HTTPRequestHead? {
        // Counted without making a list, as it is done for each request.
        let hosts = headers.reduce(0) { $0 + ($1.name.utf8.count == 4 && $1.name.lowercased() == "host" ? 1 : 0) }
        guard version == .http1_0 || hosts == 1 else { return nil }
        // Nearly all targets begin with a slash.
        guard let first = uri.utf8.first, first != UInt8(ascii: "/") else { return self }
        guard let target = AbsoluteTarget(uri) else { return self }
        var head = self
        head.uri = target.path
        head.headers.replaceOrAdd(name: "Host", value: target.authority)
        return head
    }
}
