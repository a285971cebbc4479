import Files
import Glibc
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

@Suite struct KeyFilesTests {
    private static let (first, second) = (String(repeating: "0a", count: 16), String(repeating: "1b", count: 16))
    private let disk = MemoryFileSystem()

    private func publish(to files: KeyFiles) {
        _ = files.take([.ended])
    }

    private var contents: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: disk.files.map { ($0.key.replacing("keys/./", with: ""), $0.value) })
    }

    @Test func keysComeAndGoWithWhatNeedsThem() throws {
        let keys = Mutex([Self.first: ByteBuffer(bytes: [1, 2, 3])])
        let files = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { _ in }
        files.take { KeyFiles.Keys(keys.withLock { $0 }) }
        // Nothing has been published that needs any.
        #expect(contents.isEmpty)
        publish(to: files)
        #expect(contents == [Self.first: [1, 2, 3]])
        keys.withLock { $0[Self.second] = ByteBuffer(bytes: [4]) }
        publish(to: files)
        keys.withLock { $0[Self.first] = nil }
        publish(to: files)
        #expect(contents == [Self.second: [4]])
    }

    @Test func keysOfAnEarlierRunGoAndWhatIsNoKeyStays() throws {
        let old = ["keys/./\(Self.first)": [UInt8](), "keys/./README": [7], "keys/./\(Self.first).txt": [8]]
        let disk = MemoryFileSystem(old)
        let files = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { _ in }
        files.take { KeyFiles.Keys([Self.second: ByteBuffer(bytes: [1])]) }
        publish(to: files)
        #expect(
            disk.files == ["keys/./\(Self.second)": [1], "keys/./README": [7], "keys/./\(Self.first).txt": [8]]
        )
    }

    /// A key server that was asked again may still be thinking.
    @Test func keysOfAnEarlierRunStayUntilAllAreKnown() throws {
        let disk = MemoryFileSystem(["keys/./\(Self.first)": [7]])
        let files = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { _ in }
        let isWhole = Mutex(false)
        files.take { KeyFiles.Keys([Self.second: ByteBuffer(bytes: [1])], isWhole: isWhole.withLock { $0 }) }
        publish(to: files)
        #expect(disk.files == ["keys/./\(Self.first)": [7], "keys/./\(Self.second)": [1]])
        isWhole.withLock { $0 = true }
        publish(to: files)
        #expect(disk.files == ["keys/./\(Self.second)": [1]])
    }

    @Test func aKeyThatCannotBeWrittenIsSaidOnceAndTriedAgain() throws {
        let events = Mutex<[String]>([])
        let files = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { event in
            events.withLock { $0.append("\(event)") }
        }
        files.take { KeyFiles.Keys([Self.first: ByteBuffer(bytes: [1])]) }
        disk.state.withLock { $0.failure = ENOSPC }
        for _ in 0..<3 { publish(to: files) }
        #expect(events.withLock { $0.count } == 1)
        #expect(files.health.problem?.contains("--output-keys") == true)
        disk.state.withLock { $0.failure = nil }
        publish(to: files)
        #expect(contents == [Self.first: [1]])
        #expect(files.health.isHealthy)
        #expect(events.withLock { $0.last } == "all keys of --output-keys are written again")
    }

    /// A player that has the playlist finds the keys that it names.
    @Test func keysAreThereBeforeThePlaylistsThatNameThem() throws {
        disk.state.withLock { $0.history = [] }
        let files = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { _ in }
        files.take { KeyFiles.Keys([Self.first: ByteBuffer(bytes: [1])]) }
        let mirror = try DirectoryMirror(directory: "out", waits: true, keys: files, fileSystem: disk) { _ in }
        var feed = Feed(nil, consumers: [mirror])
        try feed.publish(count: 3)
        feed.presentation.finish()
        let states = disk.takeHistory().filter { $0.keys.contains { $0.hasSuffix(".m3u8") } }
        #expect(!states.isEmpty && states.allSatisfy { $0["keys/./\(Self.first)"] == [1] })
    }
}
