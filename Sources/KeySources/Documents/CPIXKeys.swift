import CPIX
package import ContentProtection
import Fetching
package import MediaCore
import NIOCore
import NIOHTTP1

/// The keys of a channel in a CPIX document.
package struct CPIXKeys: KeyDocument {
    /// The size up to which documents are parsed.
    private static let maximumBytes = 16 << 20

    private let document: CPIXDocument
    private let name: String
    private let periods: CryptoPeriods
    private let slotDuration: MediaTime
    private let classes: KeyClasses

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of a file that only its owner may read.
    ///   - periods: The crypto periods of the channel.
    ///   - slotDuration: The length of a slot.
    ///   - classes: The classes of tracks that have keys of their own.
    ///   - trust: The signer that it must have, and the key that opens it.
    /// - Throws: `MasterSecretFileError` if it cannot be read; ``KeySourceError`` if it is not a CPIX document.
    package init(
        path: String,
        periods: CryptoPeriods,
        slotDuration: MediaTime,
        classes: KeyClasses = KeyClasses(),
        trust: DocumentTrust
    ) throws {
        let bytes = try SecretFile.contents(path: path, atMost: Self.maximumBytes + 1)
        try self.init(bytes, name: path, periods: periods, slotDuration: slotDuration, classes: classes, trust: trust)
    }

    /// Gets it from a server.
    ///
    /// - Throws: ``KeySourceError`` if it is not available, or is no CPIX document.
    package init(
        from server: KeyServer,
        periods: CryptoPeriods,
        slotDuration: MediaTime,
        classes: KeyClasses = KeyClasses(),
        trust: DocumentTrust
    ) async throws {
        let limits = OriginClient.Configuration(
            maximumBytes: Self.maximumBytes,
            followsRedirects: false,
            authorities: server.authorities
        )
        let answer: HTTPAnswer
        do {
            answer = try await OriginClient.withClient(limits) { client throws(FetchError) in
                try await client.send(nil, to: server.url, server.credentials)
            }
        } catch {
            throw KeySourceError("\(server.name): \(error)")
        }
        guard answer.status == 200 else {
            throw KeySourceError("\(server.name): \(KeySourceError.complaint(about: answer.status))")
        }
        try self.init(
            Array(answer.body.readableBytesView),
            name: server.name,
            periods: periods,
            slotDuration: slotDuration,
            classes: classes,
            trust: trust
        )
    }

    private init(
        _ bytes: [UInt8],
        name: String,
        periods: CryptoPeriods,
        slotDuration: MediaTime,
        classes: KeyClasses = KeyClasses(),
        trust: DocumentTrust
    ) throws(KeySourceError) {
        do {
            document = try trust.read(bytes)
        } catch {
            throw KeySourceError("\(name): \(error)")
        }
        self.name = name
        self.periods = periods
        self.slotDuration = slotDuration
        self.classes = classes
    }

    package func keys(of period: CryptoPeriod, _ classes: [KeyClass]) throws -> [PeriodKey] {
        let start = periods.start(of: period, slotDuration: slotDuration)
        do {
            return try document.keys(of: period, from: start, classes, of: self.classes)
        } catch {
            throw KeySourceError("\(name): \(error)")
        }
    }
}
