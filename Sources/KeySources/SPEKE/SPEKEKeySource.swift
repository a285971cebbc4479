package import CPIX
package import ContentProtection
import Fetching
package import MediaCore
import NIOCore
import NIOHTTP1
import Synchronization

/// Asks a key server for keys by SPEKE 2.1, or 2.0 if it speaks no more than that.
package final class SPEKEKeySource: KeySource {
    package let periods: CryptoPeriods
    private let server: KeyServer
    /// The limits of a request, which is repeated if the server is slower.
    private let limits: OriginClient.Configuration
    private let contentID: String
    private let scheme: EncryptionScheme
    private let slotDuration: MediaTime
    private let classes: KeyClasses
    private let systems: [KeySystem]
    private let trust: DocumentTrust
    /// The dialect in use, adapted to the server's answers.
    private let dialect = Mutex(SPEKEDialect())

    /// - Parameters:
    ///   - server: The key server.
    ///   - contentID: The name that the server knows the channel by.
    ///   - scheme: The scheme that the keys are used with.
    ///   - periods: The crypto periods of the channel.
    ///   - slotDuration: The length of a slot.
    ///   - classes: The classes of tracks that have keys of their own.
    ///   - systems: The key systems whose clients play the channel.
    ///   - trust: The key that opens its answers.
    package init(
        _ server: KeyServer,
        contentID: String,
        scheme: EncryptionScheme,
        periods: CryptoPeriods,
        slotDuration: MediaTime,
        classes: KeyClasses,
        systems: [KeySystem],
        trust: DocumentTrust
    ) {
        self.server = server
        limits = OriginClient.Configuration(
            connectTimeout: .seconds(3),
            timeout: .seconds(5),
            maximumBytes: 1 << 20,
            // Credentials are for the server that they were given for.
            followsRedirects: false,
            authorities: server.authorities
        )
        self.contentID = contentID
        self.scheme = scheme
        self.periods = periods
        self.slotDuration = slotDuration
        self.classes = classes
        // Systems without a licence server are signalled by this packager, but a request has to name at least one
        // system.
        let licensed = systems.filter(\.hasLicenceServer)
        self.systems = licensed.isEmpty ? [.identity] : licensed
        self.trust = trust
    }

    package func requestKeys(
        of period: CryptoPeriod,
        _ missing: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        let request = SPEKERequest(
            contentID: contentID,
            scheme: scheme,
            periods: periods,
            slotDuration: slotDuration,
            period: period,
            // One request for all classes: a server that counts requests counts periods.
            classes: classes,
            systems: systems,
            recipient: trust.certificate
        )
        Task {
            let result: Result<[PeriodKey], any Error>
            do {
                result = .success(try await ask(request))
            } catch {
                result = .failure(KeySourceError("\(server.name): \(error)"))
            }
            answer(result)
        }
    }

    private func ask(_ request: SPEKERequest) async throws -> [PeriodKey] {
        var exchange = SPEKEExchange(request, dialect.withLock { $0 }, trust: trust)
        while true {
            let reply = await send(try exchange.message())
            let action = exchange.received(reply)
            if exchange.dialect.version == .minor0 { dialect.withLock { $0.version = .minor0 } }
            switch action {
            case .retry(let pause): try await Task.sleep(for: pause)
            case .deliver(let keys):
                dialect.withLock { $0 = exchange.dialect }
                return keys
            case .fail(let error): throw error
            }
        }
    }

    private func send(_ message: SPEKEExchange.Message) async -> SPEKEExchange.Reply {
        var fields = server.credentials
        for field in message.fields { fields.replaceOrAdd(name: field.name, value: field.value) }
        do {
            let answer = try await OriginClient.withClient(limits) { [fields] client throws(FetchError) in
                try await client.send(ByteBuffer(string: message.body), to: server.url, fields)
            }
            return .answer(
                status: answer.status,
                version: answer.fields.first(name: "X-Speke-Version"),
                contentType: answer.fields.first(name: "Content-Type"),
                body: Array(answer.body.readableBytesView)
            )
        } catch {
            return .none(reason: "\(error)")
        }
    }
}
