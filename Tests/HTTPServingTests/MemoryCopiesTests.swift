import Files
import NIOCore
import TestSupport
import Testing

@testable import HTTPServing

/// Copies of what many clients ask for.
@Suite(.timeLimit(.minutes(5))) struct MemoryCopiesTests {
    private static let body = ByteBuffer(bytes: (0..<100_000).map { UInt8($0 % 251) })

    private static func seconds(_ count: UInt64) -> NIODeadline { .uptimeNanoseconds(count * MemoryCopies.pause) }

    /// Asks until there is a copy.
    private static func copy(_ place: MemoryCopies.Place, at time: UInt64 = 0) async throws -> FilePart {
        try await eventually(within: 10, "it is copied") { place.part(of: body, at: seconds(time)) }
    }

    @Test func whatIsAskedForOnceIsNotCopied() async throws {
        let copies = MemoryCopies(files: 4, bytes: 1 << 20)
        let places = (0..<100).map { _ in MemoryCopies.Place(in: copies) }
        for place in places { #expect(place.part(of: Self.body, at: .now()) == nil) }
        #expect(copies.use == (0, 0))
        let copy = try await Self.copy(places[0])
        #expect(copies.use == (1, 100_000))
        #expect(try copy.file.read(atMost: 100_001) == Self.body)
        #expect(copy.range == 0..<100_000)
    }

    @Test func theOneThatIsAskedForLeastRecentlyGoes() async throws {
        let copies = MemoryCopies(files: 2, bytes: 1 << 20)
        let places = (0..<3).map { _ in MemoryCopies.Place(in: copies) }
        _ = try await Self.copy(places[0], at: 1)
        _ = try await Self.copy(places[1], at: 2)
        #expect(places[0].part(of: Self.body, at: Self.seconds(10)) != nil)
        _ = try await Self.copy(places[2], at: 11)
        #expect(copies.use == (2, 200_000))
        #expect(places[0].part(of: Self.body, at: Self.seconds(12)) != nil)
        #expect(places[1].part(of: Self.body, at: Self.seconds(12)) == nil)
    }

    /// Of more than there is room for, each would be copied again and again.
    @Test func whatIsAskedForAllTheTimeStays() async throws {
        let copies = MemoryCopies(files: 1, bytes: 1 << 20)
        let (first, second) = (MemoryCopies.Place(in: copies), MemoryCopies.Place(in: copies))
        _ = try await Self.copy(first, at: 1)
        for _ in 0..<1_000 {
            #expect(second.part(of: Self.body, at: Self.seconds(1)) == nil)
            #expect(first.part(of: Self.body, at: Self.seconds(1)) != nil)
            await Task.yield()
        }
        // Room is looked for again after a while, and then the first one goes.
        _ = try await Self.copy(second, at: 3)
        #expect(first.part(of: Self.body, at: Self.seconds(3)) == nil)
    }

    /// Event loops ask for a body at the same moment.
    @Test func aBodyIsCopiedOnceHoweverManyAsk() async throws {
        for _ in 0..<20 {
            let copies = MemoryCopies(files: 200, bytes: 1 << 26)
            let places = (0..<100).map { _ in MemoryCopies.Place(in: copies) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for place in places {
                            for _ in 0..<3 { _ = place.part(of: Self.body, at: Self.seconds(1)) }
                        }
                    }
                }
            }
            _ = try await eventually(within: 10, "all are copied") {
                places.allSatisfy { $0.part(of: Self.body, at: Self.seconds(1)) != nil } ? true : nil
            }
            #expect(copies.use == (100, 10_000_000))
        }
    }

    /// A client that reads slowly has the bytes for as long as it likes, and they count for as long.
    @Test func aCopyThatIsBeingSentTakesItsRoom() async throws {
        let copies = MemoryCopies(files: 1, bytes: 1 << 20)
        let (first, second) = (MemoryCopies.Place(in: copies), MemoryCopies.Place(in: copies))
        var sent: FilePart? = try await Self.copy(first)
        _ = try await eventually(within: 10, "its place is wanted") {
            _ = second.part(of: Self.body, at: Self.seconds(1))
            return first.part(of: Self.body, at: Self.seconds(0)) == nil ? true : nil
        }
        #expect(copies.use == (1, 100_000))
        #expect(try sent?.file.read(atMost: 100_001) == Self.body)
        #expect(sent?.isWhole == true)
        sent = nil
        // The first one may have taken the room again: it is asked for no more, and goes a second later.
        _ = try await eventually(within: 10, "the second one is copied") { second.part(of: Self.body, at: .now()) }
        #expect(copies.use == (1, 100_000))
    }

    @Test func bytesAreLimitedAsWell() async throws {
        let copies = MemoryCopies(files: 4, bytes: 150_000)
        let (first, second) = (MemoryCopies.Place(in: copies), MemoryCopies.Place(in: copies))
        _ = try await Self.copy(first)
        // It would not fit if it were alone.
        let long = ByteBuffer(repeating: 7, count: 150_001)
        for _ in 0..<10 { #expect(second.part(of: long, at: Self.seconds(1)) == nil) }
        #expect(first.part(of: Self.body, at: Self.seconds(1)) != nil)
        let third = MemoryCopies.Place(in: copies)
        _ = try await Self.copy(third, at: 2)
        #expect(copies.use == (1, 100_000))
        #expect(first.part(of: Self.body, at: Self.seconds(2)) == nil)
    }

    @Test func aCopyGoesWithItsPlace() async throws {
        let copies = MemoryCopies(files: 4, bytes: 1 << 20)
        var places = (0..<3).map { _ in MemoryCopies.Place(in: copies) }
        for place in places { _ = try await Self.copy(place) }
        #expect(copies.use == (3, 300_000))
        places.removeAll()
        _ = try await eventually(within: 10, "its memory is free") { copies.use == (0, 0) ? true : nil }
    }
}
