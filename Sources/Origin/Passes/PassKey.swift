package import ContentProtection
package import MediaCore

/// Signs and verifies the passes of viewers for playlists and media.
package final class PassKey: Sendable {
    /// The result of verifying a pass.
    enum Verdict: Hashable, Sendable {
        case good, expired
        /// A pass that is not signed by this secret, or is for another channel.
        case invalid
    }

    private let authenticator: MessageAuthenticator
    /// UTC by the machine's clock.
    private let now: @Sendable () -> MediaTime

    /// - Parameters:
    ///   - secret: The secret that caches have as well.
    ///   - now: UTC as the machine's clock has it, counted from 1970: passes expire by it.
    /// - Throws: `OpenSSLError` without memory or without the algorithm.
    package init(secret: [UInt8], now: @escaping @Sendable () -> MediaTime) throws(OpenSSLError) {
        self.now = now
        authenticator = try MessageAuthenticator(secret: secret)
    }

    private var second: Int64 { now().ticks / MediaTime.timescale }

    /// Makes a pass.
    ///
    /// - Parameters:
    ///   - channel: The channel that it is for.
    ///   - expires: UTC from which on it is good for nothing.
    /// - Returns: Its text; nil without memory.
    func pass(to channel: Substring, until expires: MediaTime) -> String? {
        let moment = expires.ticks / MediaTime.timescale
        var message = "\(moment)/\(channel)"
        guard let code = message.withUTF8({ authenticator.code(of: UnsafeRawBufferPointer($0)) }) else { return nil }
        return code.hexadecimal + "-\(moment)"
    }

    /// Makes the beginning of paths for the other member of a pair, which has the same secret.
    ///
    /// - Returns: `/t/…` without a slash at its end; empty without memory.
    package func pathPrefix(for channel: String, lasting seconds: Int64) -> String {
        let expires = now() + MediaTime(seconds: seconds)
        return pass(to: channel[...], until: expires).map { MediaPass.directory + $0 } ?? ""
    }

    /// Verifies the pass at the beginning of a path.
    func verdict(on prefix: MediaPass.Prefix, in path: UnsafeRawBufferPointer) -> Verdict {
        verdict(on: prefix.pass, UnsafeRawBufferPointer(rebasing: path[prefix.signed]))
    }

    /// Verifies the pass in a cookie.
    ///
    /// - Parameters:
    ///   - bytes: The value of a field `Cookie` (RFC 6265 § 4.2.1).
    ///   - channel: The requested channel.
    /// - Returns: The verdict on the best of its passes; nil if it has none.
    func verdict(onCookie bytes: Slice<UnsafeRawBufferPointer>, for channel: some Sequence<UInt8>) -> Verdict? {
        var best: Verdict?
        let pairs = bytes.split(separator: UInt8(ascii: ";"), maxSplits: Self.mostCookies)
        for pair in pairs {
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            guard pair.starts(with: Self.cookiePrefix), let pass = MediaPass(pair.dropFirst(Self.cookiePrefix.count)),
                pair.count == Self.cookiePrefix.count + pass.length
            else { continue }
            let message = Array("\(pass.expires)/".utf8) + Array(channel)
            let verdict = message.withUnsafeBytes { self.verdict(on: pass, $0) }
            if verdict == .good { return .good }
            // If several passes give no access, an expired one is reported.
            if best != .expired { best = verdict }
        }
        return best
    }

    private static let cookiePrefix = Array("\(MediaPass.cookie)=".utf8)
    /// The most cookies of a field that are looked at.
    private static let mostCookies = 16

    private func verdict(on pass: MediaPass, _ message: UnsafeRawBufferPointer) -> Verdict {
        guard authenticator.verifies(pass.signature, of: message) else { return .invalid }
        return pass.expires > second ? .good : .expired
    }
}

extension SIMD32<UInt8> {
    /// Two digits for each byte, in small letters.
    fileprivate var hexadecimal: String {
        indices.lazy.map { self[$0] }.hex
    }
}
