package import ContentProtection
import Synchronization

/// Keys in a document, which is read at the first request, and again whenever it lacks some.
package final class DocumentKeySource: KeySource {
    private struct State {
        var document: (any KeyDocument)?
        /// The present reading of the document, for all requests meanwhile.
        var reading: Task<any KeyDocument, any Error>?
    }

    package let periods: CryptoPeriods
    /// One reading of the document answers all.
    package var mostRequests: Int { .max }
    private let read: @Sendable () async throws -> any KeyDocument
    private let state: Mutex<State>

    /// - Parameters:
    ///   - periods: The crypto periods of the channel.
    ///   - document: The document, if it was read already.
    ///   - read: Reads the document.
    package init(
        periods: CryptoPeriods,
        document: (any KeyDocument)? = nil,
        read: @escaping @Sendable () async throws -> any KeyDocument
    ) {
        self.periods = periods
        self.read = read
        state = Mutex(State(document: document))
    }

    package func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        let document = state.withLock { $0.document }
        if let keys = try? document?.keys(of: period, classes) { return answer(.success(keys)) }
        let reading = reading()
        Task {
            do {
                let document = try await reading.value
                do {
                    answer(.success(try document.keys(of: period, classes)))
                } catch {
                    // A class that the document lacks does not affect the others.
                    let keys = classes.compactMap { try? document.keys(of: period, [$0]).first }
                    if !keys.isEmpty, Set(keys.map(\.keyID)).count == keys.count { answer(.success(keys)) }
                    answer(.failure(error))
                }
            } catch {
                answer(.failure(error))
            }
        }
    }

    private func reading() -> Task<any KeyDocument, any Error> {
        state.withLock { state in
            if let reading = state.reading { return reading }
            let reading = Task {
                defer { self.state.withLock { $0.reading = nil } }
                let document = try await read()
                self.state.withLock { $0.document = document }
                return document
            }
            state.reading = reading
            return reading
        }
    }
}
