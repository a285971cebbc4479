import Foundation
import FuzzReaders
import TestSupport
import Testing

/// What fuzzers began with, and every input that they have found a fault with: none is one any more.
@Suite struct CorpusTests {
    @Test(.timeLimit(.minutes(5)), arguments: Reader.allCases)
    func everyReaderTakesItsCorpus(reader: Reader) throws {
        let directory = Repository.root.appending(path: "Tests/Fuzz/Corpus/\(reader.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files { reader.read([UInt8](try Data(contentsOf: file))) }
    }
}
