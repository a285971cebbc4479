import ContentProtection
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import Operations

/// An event as it is posted.
struct WebhookMessage {
    let fields: HTTPHeaders
    let body: ByteBuffer

    /// - Parameters:
    ///   - entry: The event.
    ///   - time: UTC; a receiver that compares it with its own clock can refuse replayed messages.
    ///   - secret: Signs it.
    /// - Throws: An error if it cannot be signed.
    init(_ entry: EventLog.Entry, at time: MediaTime, secret: [UInt8]?) throws {
        let json = try JSONEncoder.canonical.encode(EventRecord(entry))
        let timestamp = "\(time.milliseconds / 1000)"
        var fields: HTTPHeaders = [
            "Content-Type": "application/json",
            "User-Agent": "packager",
            // The number is the same in all attempts.
            "X-Packager-Event": "\(entry.number)",
            "X-Packager-Timestamp": timestamp,
        ]
        if let secret {
            let code = try MessageAuthentication.code(of: Array("\(timestamp).".utf8) + json, secret: secret)
            fields.add(name: "X-Packager-Signature", value: "sha256=\(code.hex)")
        }
        self.fields = fields
        body = ByteBuffer(bytes: json)
    }
}
