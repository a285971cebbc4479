import HTTPServing
import KeyServing
import MediaCore
import NIOHTTP1

/// Lets requests for playlists and media through to the origin's responder if they have a pass.
///
/// A viewer with a token gets a pass for it. Passes are removed from paths before the responder sees them, so neither
/// its answers nor the log contain them. An origin that requires no pass has no gate.
final class PassGate: Responder {
    private let responder: OriginResponder
    private let authorization: MediaAuthorization

    /// Stands before a responder.
    init(_ responder: OriginResponder, _ authorization: MediaAuthorization) {
        self.responder = responder
        self.authorization = authorization
    }

    // MARK: The way of nearly all requests

    func prepared(for get: PlainGet) -> PreparedAnswer? {
        var get = get
        // Requests without a valid pass, and requests that need none, are read by the parser.
        guard let length = get.withBytes({ passLength(get, $0) }) else { return nil }
        if length > 0 { get.dropPathPrefix(length) }
        return responder.prepared(for: get)
    }

    /// The bytes that a good pass takes at the beginning of the path, none for one in a cookie; nil if there is no good
    /// pass.
    private func passLength(_ get: PlainGet, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let path = UnsafeRawBufferPointer(rebasing: bytes[get.path])
        if let prefix = MediaPass.Prefix(path) {
            return authorization.key.verdict(on: prefix, in: path) == .good ? prefix.length : nil
        }
        guard let cookie = get.value(of: "cookie") else { return nil }
        let name = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        return authorization.key.verdict(onCookie: bytes[cookie], for: name) == .good ? 0 : nil
    }

    // MARK: All others

    func verdict(on request: Request) -> HTTPServing.Verdict {
        let asked = withoutPass(request)
        guard responder.servesMedia, let route = try? Route(target: asked.target), let channel = route.channelOfMedia,
            request.method == .GET || request.method == .HEAD && !route.isCheap(asked.target)
        else {
            return responder.verdict(on: asked)
        }
        let pass = verdict(onPassesOf: request, for: channel)
        if pass == .good { return responder.verdict(on: asked) }
        let token = asked.bearerToken ?? asked.queryValue(responder.configuration.tokenParameter)
        switch authorization.keyResponder.admitToMedia(
            of: String(channel),
            token: token,
            fault: pass.map { $0 == .expired ? .expired : .invalid },
            address: asked.network
        ) {
        case .refused(let answer): return .answer(.answer(responder.answer(answer, realm: "media")))
        case .admitted(let token):
            guard let pass = authorization.key.pass(to: channel, until: token.expires) else {
                return .answer(.answer(Rejection(.internalServerError).answer()))
            }
            return grant(pass, to: asked, of: channel, until: token.expires, from: request.target)
        }
    }

    func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer {
        responder.finish(answer, forLog(request), duration: duration)
    }

    func rejection(_ status: HTTPResponseStatus) -> Answer { responder.rejection(status) }

    var busy: Answer { responder.busy }

    /// Returns a request without anything that may be a pass, however it is written, and whatever follows it.
    private func forLog(_ request: Request) -> Request {
        var logged = withoutPass(request)
        if logged.target.hasPrefix(MediaPass.directory) {
            let rest = logged.target.dropFirst(MediaPass.directory.count).drop { !"/?#".contains($0) }
            logged.target = MediaPass.directory + rest
        }
        if Self.mayHavePass(logged.target) { logged.target = MediaPass.directory }
        if logged["Referer"].map(Self.mayHavePass) == true { logged.fields.remove(name: "Referer") }
        return logged
    }

    /// Returns true if a text has as many hexadecimal digits in a row as a pass.
    private static func mayHavePass(_ text: String) -> Bool {
        var digits = 0
        for byte in text.utf8 {
            digits = Character(Unicode.Scalar(byte)).isHexDigit ? digits + 1 : 0
            if digits == MediaPass.signatureLength - 1 { return true }
        }
        return false
    }

    /// Returns a request without the pass in its path, for answers and the log.
    private func withoutPass(_ request: Request) -> Request {
        var asked = request
        guard let length = asked.target.withUTF8({ MediaPass.Prefix(UnsafeRawBufferPointer($0))?.length }) else {
            return asked
        }
        asked.target = String(asked.target.utf8.dropFirst(length)) ?? ""
        // The address of the page may contain the pass as well.
        asked.fields.remove(name: "Referer")
        return asked
    }

    /// Verifies the pass in the path of a request, or else those in its cookies; nil if there is none.
    private func verdict(onPassesOf request: Request, for channel: Substring) -> PassKey.Verdict? {
        var target = request.target
        let inPath = target.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return MediaPass.Prefix(bytes).map { authorization.key.verdict(on: $0, in: bytes) }
        }
        if inPath == .good { return .good }
        // A client of HTTP/2 may send each cookie in a field of its own (RFC 9113 § 8.2.3).
        let inCookies = request.fields["Cookie"].prefix(Self.mostCookieFields).map { field in
            var field = field
            return field.withUTF8 { bytes in
                authorization.key.verdict(onCookie: UnsafeRawBufferPointer(bytes)[...], for: channel.utf8)
            }
        }
        let verdicts = [inPath] + inCookies
        return [.good, .expired, .invalid].first { verdicts.contains($0) }
    }

    private static let mostCookieFields = 16

    // MARK: Giving out passes

    /// Sends a viewer to the path with the pass, or has the pass kept in a cookie.
    private func grant(
        _ pass: String,
        to request: Request,
        of channel: Substring,
        until expires: MediaTime,
        from target: String
    ) -> HTTPServing.Verdict {
        switch authorization.form {
        case .path:
            // The address is relative, so that it also works below a proxy's prefix. It keeps the query, which may
            // select renditions or a time.
            let depth = target.utf8.prefix { $0 != UInt8(ascii: "?") }.count { $0 == UInt8(ascii: "/") } - 1
            let above = String(repeating: "../", count: max(0, depth))
            // The pass is for the name as it is, which a portal may have escaped.
            let there = request.target.utf8.prefix { (0x21...0x7E).contains($0) }
            let rest = there.dropFirst().drop { $0 != UInt8(ascii: "/") }
            let location = above + MediaPass.directory.dropFirst() + pass + "/\(channel)" + (String(rest) ?? "")
            return .answer(
                .answer(Rejection(.found, "the playlist is at the address in Location").answer(["Location": location]))
            )
        case .cookie:
            guard case .answer(let reply) = responder.verdict(on: request) else {
                return responder.verdict(on: request)
            }
            let field = cookieField(pass, request, channel, until: expires)
            return .answer(
                reply.changed { answer in
                    var answer = answer
                    answer.fields.add(name: "Set-Cookie", value: field)
                    // No cache gives one viewer's cookie to others.
                    answer.fields.replaceOrAdd(name: "Cache-Control", value: "no-store")
                    return answer
                }
            )
        }
    }

    private func cookieField(
        _ pass: String,
        _ request: Request,
        _ channel: Substring,
        until expires: MediaTime
    ) -> String {
        // Pages of other sites may only have it over TLS (SameSite=None wants Secure).
        let isSecure = request.isSecure || request["X-Forwarded-Proto"] == "https"
        return "\(MediaPass.cookie)=\(pass); Path=/\(channel)/; Expires=\(HTTPDate.text(expires)); HttpOnly; "
            + (isSecure ? "Secure; SameSite=None" : "SameSite=Lax")
    }
}

extension Route {
    /// The channel whose playlists or media it names, live, past or finished; nil if the request needs no pass.
    ///
    /// No pass is needed for pages, for keys, which need a token, for resources of peers, and for advertisements, which
    /// have full addresses.
    var channelOfMedia: Substring? {
        switch self {
        case .media(let channel, _), .past(let channel, _, _), .recording(let channel, _): channel
        case .playerPage, .playerFile, .channelList, .channel, .key, .keySchedule, .localizedNames, .assetList, .adFile,
            .window, .health, .schedule, .recordedSlots, .recordedMedia, .onAir, .steering, .clearKeyLicense,
            .fairPlayLicense:
            nil
        }
    }
}

extension Route {
    /// True for a live playlist without directives: load balancers request its head to check a channel.
    ///
    /// Other answers may wait, read the disk or make a playlist, even without a body.
    fileprivate func isCheap(_ target: String) -> Bool {
        guard case .media(_, let path) = self else { return false }
        return path.hasSuffix(".m3u8") && !target.contains("?")
    }
}

extension Reply {
    /// Changes the answer when it is made.
    consuming func changed(_ change: @escaping @Sendable (Answer) -> Answer) -> Reply {
        switch consume self {
        case .answer(let answer): return .answer(change(answer))
        case .work(let work): return .work { change(work()) }
        case .reading(let readers, let work): return .reading(on: readers) { change(work()) }
        case .pending(let work): return .pending { change(await work()) }
        case .asking(let work): return .asking { await work().changed(change) }
        case .waiting(let waiting):
            return .waiting(Waiting(begin: waiting.begin, reply: { waiting.reply().changed(change) }))
        }
    }
}
