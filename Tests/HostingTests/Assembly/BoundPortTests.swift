import Testing

@testable import Hosting

/// The port of a server, which is known once the server answers.
@Suite(.timeLimit(.minutes(5))) struct BoundPortTests {
    @Test func portIsKnownBeforeAndAfterItIsAskedFor() async {
        let (early, late) = (BoundPort(), BoundPort())
        early.set(8080)
        #expect(await early.value() == 8080)
        async let value = late.value()
        late.set(9090)
        #expect(await value == 9090)
    }

    /// A program that is told to end does not wait for a server that never answers.
    @Test func cancelledTaskDoesNotWait() async {
        let port = BoundPort()
        let waiting = Task { await port.value() }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }
}
