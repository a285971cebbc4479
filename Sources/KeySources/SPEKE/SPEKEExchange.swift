import CPIX
import ContentProtection
import Foundation
import MediaCore

/// An exchange with a key server, without any I/O: the messages to send, and the meaning of the answers.
struct SPEKEExchange: Sendable {
    /// The server's reply.
    enum Reply: Sendable {
        case answer(status: Int, version: String?, contentType: String?, body: [UInt8])
        /// No complete answer.
        case none(reason: String)
    }

    enum Action: Sendable {
        /// Send ``message()`` again.
        case retry(after: Duration)
        case deliver([PeriodKey])
        case fail(KeySourceError)
    }

    struct Message: Sendable {
        var fields: [(name: String, value: String)]
        var body: String
    }

    /// The pauses after each failure before the message is sent again.
    ///
    /// Callers that need the keys start a new exchange with every segment.
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(1)]

    /// Statuses that are about credentials and addresses, not about a document.
    private static let refusalsOfClients: Set = [401, 403, 404, 407]

    let request: SPEKERequest
    private let trust: DocumentTrust
    /// The dialect in use.
    private(set) var dialect: SPEKEDialect
    private var failures = 0
    /// The server's complaint about the document, before the retry in the other dialect.
    private var complaintOfWords: String?

    /// - Parameters:
    ///   - request: The request.
    ///   - dialect: The dialect that the server is thought to speak.
    ///   - trust: The key that opens its answer.
    init(_ request: SPEKERequest, _ dialect: SPEKEDialect, trust: DocumentTrust) {
        self.request = request
        self.trust = trust
        self.dialect = dialect
    }

    /// - Throws: ``KeySourceError`` if the version cannot express the request; `OpenSSLError` without memory.
    func message() throws -> Message {
        Message(
            fields: [("Content-Type", "application/xml"), ("X-Speke-Version", dialect.version.rawValue)],
            body: try request.document(dialect).xml()
        )
    }

    mutating func received(_ reply: Reply) -> Action {
        switch reply {
        case .none(let reason): return retry("it gave no answer: \(reason)")
        case .answer(200, let version, let contentType, let body):
            do {
                try check(version: version, contentType: contentType)
                return .deliver(try keys(in: body))
            } catch {
                return .fail(KeySourceError("its answer is of no use: \(error)"))
            }
        case .answer(let status, _, _, _) where status < 300:
            // Its body may have keys, which nobody is to read in a log.
            return .fail(KeySourceError("it answered with status \(status), where 200 is expected"))
        case .answer(let status, _, _, let body):
            let text = Self.readable(body)
            let isOlder = ["unsupported speke version", "unsupported cpix@version"].contains {
                text.lowercased().contains($0)
            }
            if isOlder, dialect.version == .minor1 {
                dialect.version = .minor0
                complaintOfWords = nil
                return .retry(after: .zero)
            }
            let complaint = KeySourceError.complaint(about: status, text)
            if status >= 500 || status == 429 { return retry(complaint) }
            return refused(status, complaint)
        }
    }

    /// Repeats the request in the other dialect, in case the server has refused a word.
    private mutating func refused(_ status: Int, _ complaint: String) -> Action {
        // The dialect was not the cause, so the first complaint is reported.
        if let complaintOfWords { return .fail(KeySourceError(complaintOfWords)) }
        guard dialect.version == .minor1, (400..<500).contains(status), !Self.refusalsOfClients.contains(status) else {
            return .fail(KeySourceError(complaint))
        }
        complaintOfWords = complaint
        dialect.hasWordsOfSchema.toggle()
        return .retry(after: .zero)
    }

    private mutating func retry(_ complaint: String) -> Action {
        guard failures < Self.pauses.count else { return .fail(KeySourceError(complaint)) }
        defer { failures += 1 }
        return .retry(after: Self.pauses[failures])
    }

    /// The server repeats the version (SPEKE API v2.1, response headers).
    private func check(version: String?, contentType: String?) throws(KeySourceError) {
        guard let version else { throw KeySourceError("it has no X-Speke-Version; does it speak SPEKE 2?") }
        guard version == dialect.version.rawValue else {
            throw KeySourceError(
                "it is in SPEKE \(version.prefix(8)), and was asked for in \(dialect.version.rawValue)"
            )
        }
        let type = contentType?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard ["application/xml", "text/xml"].contains(type) else {
            throw KeySourceError("its Content-Type is \(type ?? "missing"), not application/xml")
        }
    }

    /// Returns the requested keys, by the requested IDs.
    private func keys(in body: [UInt8]) throws -> [PeriodKey] {
        let document = try trust.read(body)
        if let contentID = document.contentID, contentID != request.contentID {
            throw KeySourceError("it is for content '\(contentID.prefix(64))', not '\(request.contentID)'")
        }
        return try request.classes.all.map { keyClass in
            let keyID = try KeyID(content: request.contentID, period: request.period, keyClass)
            guard let key = document.keys.first(where: { $0.keyID == keyID }) else {
                throw KeySourceError("it has no key \(keyID), which was asked for \(keyClass.rawValue)")
            }
            guard let value = key.value else { throw KeySourceError("it has no value for key \(keyID)") }
            return PeriodKey(
                period: request.period,
                keyClass: keyClass,
                keyID: keyID,
                contentKey: value,
                constantIV: key.explicitIV ?? keyID.bytes,
                signalling: try document.signalling(of: keyID),
                displayProtection: try key.displayProtection()
            )
        }
    }

    /// The server's own words about an error, for a line of a log.
    private static func readable(_ body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(1000), as: UTF8.self)
        let words = text.split { $0.isWhitespace || !($0.isLetter || $0.isNumber || $0.isPunctuation || $0.isSymbol) }
        return String(words.joined(separator: " ").prefix(300))
    }
}
