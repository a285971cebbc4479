import Files
import Foundation
import Glibc
import NIOCore
import Testing

@Suite struct LocalFileSystemTests {
    private let disk = LocalFileSystem.confidential

    /// Runs a test in a directory of its own.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    @Test func filesAreMadeWithTheirDirectoriesReadListedAndRemoved() throws {
        try inDirectory { directory in
            #expect(try disk.read("\(directory)/a/b", limit: 100) == nil)
            #expect(try disk.list("\(directory)/a") == [])
            try disk.create("\(directory)/a/b", ByteBuffer(string: "longer"))
            try disk.create("\(directory)/a/b", ByteBuffer(string: "bytes"))
            #expect(try disk.read("\(directory)/a/b", limit: 100) == ByteBuffer(string: "bytes"))
            #expect(try disk.list("\(directory)/a") == ["b"])
            try disk.synchronize("\(directory)/a/b")
            for _ in 0..<2 { try disk.remove("\(directory)/a/b") }
            try disk.synchronize("\(directory)/a/b")
            #expect(try disk.list("\(directory)/a") == [])
        }
    }

    /// It may be longer or shorter than the other one.
    @Test(arguments: ["a few bytes", "", String(repeating: "many ", count: 10_000)])
    func aFileTakesThePlaceOfAnother(text: String) throws {
        try inDirectory { directory in
            let (old, new) = ("\(directory)/1", "\(directory)/2")
            try disk.create(old, ByteBuffer(string: String(repeating: "old", count: 1_000)))
            let number = try inode(of: old)
            try disk.create(new, ByteBuffer(string: text), inPlaceOf: old)
            #expect(try disk.list(directory) == ["2"] && inode(of: new) == number)
            #expect(try disk.read(new, limit: 100_000) == ByteBuffer(string: text))
            // A file of its name is replaced, and one that is gone does no harm.
            try disk.create(old, ByteBuffer(string: "again"), inPlaceOf: "\(directory)/gone")
            try disk.create(old, ByteBuffer(string: "over it"), inPlaceOf: new)
            #expect(try disk.list(directory) == ["1"])
            #expect(try disk.read(old, limit: 100) == ByteBuffer(string: "over it"))
        }
    }

    private func inode(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    }

    enum Holder: CaseIterable { case reader, map, hardLink, symbolicLink }

    /// Readers of the old file find its bytes, and nothing is written to a file that has another name.
    @Test(arguments: Holder.allCases)
    func aFileThatSomebodyHasIsNotOverwritten(holder: Holder) throws {
        try inDirectory { directory in
            let (old, new, other) = ("\(directory)/old", "\(directory)/new", "\(directory)/other")
            let bytes = ByteBuffer(string: "expired")
            try disk.create(holder == .symbolicLink ? other : old, bytes)
            let create = { try disk.create(new, ByteBuffer(string: "new"), inPlaceOf: old) }
            switch holder {
            case .reader:
                let reader = try OpenFile(old, O_RDONLY)
                try create()
                #expect(try reader.read(atMost: 100) == bytes)
            case .map:
                let length = bytes.readableBytes
                let map = try withExtendedLifetime(try OpenFile(old, O_RDONLY)) { file in
                    try #require(mmap(nil, length, PROT_READ, MAP_SHARED, file.descriptor, 0))
                }
                try #require(map != MAP_FAILED)
                defer { munmap(map, length) }
                try create()
                #expect(ByteBuffer(bytes: UnsafeRawBufferPointer(start: map, count: length)) == bytes)
            case .hardLink, .symbolicLink:
                #expect((holder == .hardLink ? link(old, other) : symlink(other, old)) == 0)
                try create()
                #expect(try disk.read(other, limit: 100) == bytes)
                try disk.remove(other)
            }
            #expect(try disk.read(new, limit: 100) == ByteBuffer(string: "new"))
            #expect(try disk.list(directory) == ["new"])
        }
    }

    @Test func aDiskIsWaitedForByItsDirectory() throws {
        try inDirectory { directory in
            #expect(throws: FileError.self) { try disk.synchronizeDisk(of: directory) }
            try disk.create("\(directory)/a", ByteBuffer(string: "bytes"))
            try disk.synchronizeDisk(of: directory)
            let error = #expect(throws: FileError.self) { try disk.synchronizeDisk(of: "\(directory)/a") }
            #expect(error?.code == ENOTDIR)
        }
    }

    /// The first page of a process is never there.
    @Test func bytesThatCannotBeReadAreAnError() {
        let error = #expect(throws: FileError.self) { try disk.read("/proc/self/mem", 0..<8) }
        #expect(error?.code == EIO)
    }

    @Test func reservedRoomIsZerosAndKeepsWhatIsThere() throws {
        try inDirectory { directory in
            try disk.makeDirectory(directory)
            let path = "\(directory)/journal"
            try disk.reserve(path, byteCount: 8)
            try disk.write(ByteBuffer(string: "abc"), to: path, at: 2)
            try disk.reserve(path, byteCount: 10)
            #expect(try disk.read(path, limit: 100) == ByteBuffer(string: "\0\0abc\0\0\0\0\0"))
        }
    }

    @Test func aLockIsHeldUntilItIsLetGo() throws {
        try inDirectory { directory in
            try disk.makeDirectory(directory)
            var lock = try disk.lock("\(directory)/lock")
            #expect(lock != nil)
            #expect(try disk.lock("\(directory)/lock") == nil)
            lock = nil
            #expect(try disk.lock("\(directory)/lock") != nil)
        }
    }

    @Test func aLockKnowsWhetherItsFileIsInPlace() throws {
        try inDirectory { directory in
            let (path, away) = ("\(directory)/state", "\(directory)/away")
            try disk.makeDirectory(path)
            let lock = try #require(try disk.lock("\(path)/lock"))
            #expect(try lock.isInPlace())
            try FileManager.default.moveItem(atPath: path, toPath: away)
            #expect(try !lock.isInPlace())
            try disk.create("\(path)/lock", ByteBuffer())
            #expect(try !lock.isInPlace())
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: away, toPath: path)
            #expect(try lock.isInPlace())
        }
    }

    /// A program that is being started has all open files of this process until it is itself.
    @Test func aCopyOfItsDescriptorHoldsNoLock() throws {
        try inDirectory { directory in
            try disk.makeDirectory(directory)
            let path = "\(directory)/lock"
            var lock = try disk.lock(path)
            let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(CInt.init)
                .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
                .map { dup($0) }
            defer { for copy in copies { close(copy) } }
            #expect(lock != nil && copies.count == 1)
            lock = nil
            #expect(try disk.lock(path) != nil)
        }
    }

    @Test func errorsSayWhatFailedWhereAndWhy() throws {
        #expect(throws: FileError(operation: "write", path: "/dev/full", code: ENOSPC)) {
            try disk.write(ByteBuffer(string: "x"), to: "/dev/full", at: 0)
        }
        try inDirectory { directory in
            try disk.create("\(directory)/file", ByteBuffer())
            #expect(throws: FileError(operation: "make directory", path: "\(directory)/file/x", code: ENOTDIR)) {
                try disk.makeDirectory("\(directory)/file/x")
            }
        }
    }

    @Test func whatIsNoPlainFileIsRefusedInWordsAndAtOnce() throws {
        try inDirectory { directory in
            try disk.makeDirectory(directory)
            mkfifo("\(directory)/fifo", 0o600)
            symlink("/etc/passwd", "\(directory)/link")
            for name in ["fifo", "link", ""] {
                let path = "\(directory)/\(name)"
                for attempt in [
                    { _ = try disk.read(path, limit: 100) }, { _ = try disk.lock(path) },
                    { try disk.reserve(path, byteCount: 1) },
                    { try disk.write(ByteBuffer(string: "x"), to: path, at: 0) },
                ] {
                    let error = #expect(throws: FileError.self) { try attempt() }
                    #expect(error?.path == path)
                }
            }
            let error = #expect(throws: FileError.self) { try disk.read("\(directory)/link", limit: 100) }
            #expect(error?.description == "open \(directory)/link: it is a symbolic link, not a file")
        }
    }

    @Test func fileOfASettingMayBeALinkAndIsNeverWaitedFor() throws {
        try inDirectory { directory in
            try disk.makeDirectory(directory)
            try disk.create("\(directory)/file", ByteBuffer(string: "text"))
            symlink("file", "\(directory)/link")
            mkfifo("\(directory)/fifo", 0o600)
            for name in ["file", "link"] {
                #expect(try OpenFile.contents(of: "\(directory)/\(name)", limit: 4) == Array("text".utf8))
            }
            for (name, reason) in [
                ("fifo", "it is a FIFO or a device, not a file"), ("", "it is a directory, not a file"),
                ("none", "No such file or directory"), ("file", "its 4 bytes are more than the 3 that it can have"),
            ] {
                let error = #expect(throws: FileError.self) {
                    try OpenFile.contents(of: "\(directory)/\(name)", limit: 3)
                }
                #expect(error?.reason == reason)
            }
            let error = #expect(throws: FileError.self) { try OpenFile.contents(of: "/dev/zero", limit: 3) }
            #expect(error?.reason == "it is a FIFO or a device, not a file")
        }
    }

    /// A state directory that systemd makes with DynamicUser may be a link; what lies in it may not.
    @Test func directoryThatAnOperatorNamesMayBeALink() throws {
        try inDirectory { directory in
            try disk.makeDirectory("\(directory)/private/packager")
            symlink("private/packager", "\(directory)/state")
            try disk.makeDirectory("\(directory)/state/.")
            try disk.replace("\(directory)/state/./channels.yaml", ByteBuffer(string: "text"))
            #expect(
                try disk.read("\(directory)/private/packager/channels.yaml", limit: 100) == ByteBuffer(string: "text")
            )
            symlink("../..", "\(directory)/private/packager/live")
            let error = #expect(throws: FileError.self) { try disk.makeDirectory("\(directory)/state/./live") }
            #expect(error?.reason == "a symbolic link has its name")
        }
    }

    @Test func aGiantFileIsRefusedBeforeItIsRead() throws {
        try inDirectory { directory in
            let path = "\(directory)/journal-0"
            try disk.create(path, ByteBuffer())
            #expect(truncate(path, 8 << 30) == 0)
            let error = #expect(throws: FileError.self) { try disk.read(path, limit: 1 << 28) }
            #expect(error?.reason.contains("8589934592 bytes") == true)
        }
    }

    @Test func whatIsInTheWayOfANewFileGoesAndIsNotWrittenThrough() throws {
        try inDirectory { directory in
            try disk.create("\(directory)/victim", ByteBuffer(string: "victim"))
            symlink("victim", "\(directory)/link")
            mkfifo("\(directory)/fifo", 0o600)
            for name in ["link", "fifo"] {
                try disk.create("\(directory)/\(name)", ByteBuffer(string: name))
                #expect(try disk.read("\(directory)/\(name)", limit: 100) == ByteBuffer(string: name))
            }
            #expect(try disk.read("\(directory)/victim", limit: 100) == ByteBuffer(string: "victim"))
        }
    }

    @Test(arguments: [(LocalFileSystem.confidential, 0o600, 0o700), (.published, 0o644, 0o755)])
    func filesAreForWhomTheyAreMeant(disk: LocalFileSystem, file: Int, folder: Int) throws {
        try inDirectory { directory in
            try disk.create("\(directory)/a/b", ByteBuffer())
            for (path, mode) in [("a", folder), ("a/b", file)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(path)")
                #expect(attributes[.posixPermissions] as? Int == mode)
            }
        }
    }
}
