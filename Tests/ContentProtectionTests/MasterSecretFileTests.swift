import Files
import FoundationEssentials
import Glibc
import MediaCore
import Testing

@testable import ContentProtection

@Suite struct MasterSecretFileTests {
    /// Runs `body` with the path of a file that does not exist yet, in a directory of its own.
    private func withPath(_ body: (String) throws -> Void) throws {
        let directory = "\(FileManager.default.temporaryDirectory.path)/secret-\(UUID())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body("\(directory)/master.key")
    }

    private func write(_ contents: [UInt8], to path: String, mode: mode_t = 0o600) throws {
        try Data(contents).write(to: URL(filePath: path))
        try #require(chmod(path, mode) == 0)
    }

    private static let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F"

    @Test(arguments: [Array(0...31), Array(digits.utf8), Array("\(digits)\n".utf8), Array("\(digits)\r\n".utf8)])
    func rawBytesAndDigitsGiveTheSameSecret(contents: [UInt8]) throws {
        try withPath { path in
            try write(contents, to: path, mode: 0o400)
            #expect(try MasterSecret.load(path: path) == MasterSecret(Array(0...31)))
        }
    }

    @Test(arguments: [
        [], Array(0...30), Array(0...32), Array(digits.utf8.dropLast()), Array("\(digits)0".utf8),
        Array("\(digits)\n\n".utf8), Array("\(digits)\r".utf8), Array("x\(digits.dropFirst())\n".utf8),
        // Half a secret is not taken for raw bytes.
        Array(digits.utf8.prefix(32)), Array(repeating: 0xC3, count: 64), Array(repeating: 0x0A, count: 4096),
    ])
    func otherContentsAreMalformed(contents: [UInt8]) throws {
        try withPath { path in
            try write(contents, to: path)
            #expect(throws: MasterSecretFileError(path, .malformed)) { try MasterSecret.load(path: path) }
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o777] as [mode_t])
    func fileThatOthersMayUseIsRefused(mode: mode_t) throws {
        try withPath { path in
            try write(Array(Self.digits.utf8), to: path, mode: mode)
            #expect(throws: MasterSecretFileError(path, .accessibleByOthers(mode: mode))) {
                try MasterSecret.loadOrCreate(path: path)
            }
        }
    }

    @Test func directoriesAndPipesAreRefusedWithoutWaiting() throws {
        try withPath { path in
            try #require(mkdir(path, 0o700) == 0)
            let isDirectory = FileError(operation: "open", path: path, reason: "it is a directory, not a file")
            #expect(throws: MasterSecretFileError(path, .file(isDirectory))) { try MasterSecret.load(path: path) }
            let pipe = "\(path).pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let isPipe = FileError(operation: "open", path: pipe, reason: "it is a FIFO or a device, not a file")
            #expect(throws: MasterSecretFileError(pipe, .file(isPipe))) { try MasterSecret.load(path: pipe) }
        }
    }

    @Test func missingFileIsAnErrorUnlessItsCreationIsAskedFor() throws {
        try withPath { path in
            let missing = MasterSecretFileError(path, .file(FileError(operation: "open", path: path, code: ENOENT)))
            #expect(throws: missing) { try MasterSecret.load(path: path) }
            let created = try MasterSecret.loadOrCreate(path: path)
            #expect(try MasterSecret.load(path: path) == created)
            #expect(try MasterSecret.loadOrCreate(path: path) == created)
        }
    }

    @Test func createdFileIsForItsOwnerOnlyAndNothingElseIsLeftBehind() throws {
        try withPath { path in
            let secret = try MasterSecret.loadOrCreate(path: path)
            var status = stat()
            try #require(stat(path, &status) == 0)
            #expect(status.st_mode == S_IFREG | 0o600)
            let contents = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            #expect(contents == "\(secret.bytes.hex)\n")
            #expect(secret.bytes.count == 32)
            let directory = URL(filePath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["master.key"])
        }
    }

    @Test func missingDirectoryIsNotCreated() throws {
        try withPath { path in
            let error = #expect(throws: MasterSecretFileError.self) {
                try MasterSecret.loadOrCreate(path: "\(path)/below/master.key")
            }
            guard case .file(let cause) = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.operation == "open")
            #expect(cause.code == ENOENT)
        }
    }

    @Test func manyAtOnceAgreeOnOneSecret() async throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/secret-\(UUID())"
        defer { unlink(path) }
        let secrets = try await withThrowingTaskGroup(of: MasterSecret.self) { group in
            for _ in 0..<16 { group.addTask { try MasterSecret.loadOrCreate(path: path) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
    }

    @Test func errorsSayWhatToDo() {
        #expect(
            [
                MasterSecretFileError("/k", .file(FileError(operation: "open", path: "/k", code: EACCES))),
                MasterSecretFileError("/k", .accessibleByOthers(mode: 0o644)),
                MasterSecretFileError("/k", .malformed),
            ].map(\.description) == [
                "open /k: Permission denied",
                "/k: mode 644 lets others use the secret; run: chmod 600 /k",
                "/k: a secret is 32 bytes, or 64 hexadecimal digits and a line end, as `openssl rand -hex 32` prints",
            ]
        )
    }

    @Test func secretsHaveAtLeastSixteenBytes() throws {
        #expect(MasterSecret([UInt8](repeating: 1, count: 15)) == nil)
        #expect(MasterSecret([UInt8](repeating: 1, count: 16)) != nil)
        #expect(try MasterSecret.random() != MasterSecret.random())
    }
}
