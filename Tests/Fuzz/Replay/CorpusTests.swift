import Foundation
import FuzzReaders
import TestSupport
import Testing

/// Every input that fuzzers began with, or have found a fault with, is read without one.
@Suite struct CorpusTests {
    @Test(.timeLimit(.minutes(5)), arguments: Reader.allCases)
    func everyReaderTakesItsCorpus(reader: Reader) async throws {
        let directory = Repository.root.appending(path: "Tests/Fuzz/Corpus/\(reader.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        let documents = try files.map { [UInt8](try Data(contentsOf: $0)) }
        // Some readers block until tasks have ended. These need the threads that all tests share.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                for document in documents { reader.read(document) }
                continuation.resume()
            }
        }
    }
}
