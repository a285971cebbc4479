package import ContentProtection
import Synchronization

/// Keys that stand in a document: it is read when the first are asked for, and again whenever it lacks some.
package final class DocumentKeySource: KeySource {
    package let periods: CryptoPeriods
    private let read: @Sendable () async throws -> any KeyDocument
    private let document = Mutex<(any KeyDocument)?>(nil)

    /// - Parameters:
    ///   - periods: When keys change.
    ///   - document: What has been read already.
    ///   - read: Reads the document.
    package init(
        periods: CryptoPeriods,
        document: (any KeyDocument)? = nil,
        read: @escaping @Sendable () async throws -> any KeyDocument
    ) {
        self.periods = periods
        self.read = read
        self.document.withLock { $0 = document }
    }

    package func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        if let keys = try? document.withLock({ $0 })?.keys(of: period, classes) { return answer(.success(keys)) }
        Task {
            do {
                let document = try await read()
                self.document.withLock { $0 = document }
                answer(.success(try document.keys(of: period, classes)))
            } catch {
                answer(.failure(error))
            }
        }
    }
}
