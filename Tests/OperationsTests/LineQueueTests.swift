import Testing

@testable import Operations

@Suite struct LineQueueTests {
    private var queue = LineQueue(capacity: 100)

    private func text(_ queue: inout LineQueue) -> String? { queue.take { "\($0) lost" }?.text }

    @Test func linesComeOutInTheirOrderAndOnce() {
        var queue = queue
        queue.append("one", isExpendable: false)
        queue.append("two", isExpendable: true)
        #expect(text(&queue) == "one\ntwo\n")
        #expect(text(&queue) == nil)
    }

    @Test func whatDoesNotFitIsCountedAndSaidOnce() {
        var queue = queue
        let line = String(repeating: "x", count: 30)
        for _ in 0..<10 { queue.append(line, isExpendable: false) }
        #expect(text(&queue) == "\(line)\n\(line)\n\(line)\n7 lost\n")
        queue.append("later", isExpendable: false)
        #expect(text(&queue) == "later\n")
    }

    @Test func linesThatComeTogetherAreTakenOrLostTogether() {
        var queue = queue
        queue.append("one\ntwo", count: 2, isExpendable: true)
        queue.append(String(repeating: "x\n", count: 30), count: 31, isExpendable: true)
        #expect(text(&queue) == "one\ntwo\n31 lost\n")
    }

    @Test func aFloodOfRequestsLeavesRoomForWhatMatters() {
        var queue = queue
        for _ in 0..<1000 { queue.append("GET", isExpendable: true) }
        queue.append("input lost", isExpendable: false)
        let text = text(&queue) ?? ""
        #expect(text.contains("input lost\n"))
        #expect(text.hasSuffix("\(1000 - text.split(separator: "\n").count { $0 == "GET" }) lost\n"))
    }

    @Test func linesThatCouldNotBeWrittenAreSaidToBeLost() throws {
        var queue = queue
        for count in 1...3 {
            queue.append("line", isExpendable: false)
            let batch = try #require(queue.take { "\($0) lost" })
            #expect(batch.text == (count == 1 ? "line\n" : "line\n\(count - 1) lost\n"))
            queue.lost(batch)
        }
        #expect(text(&queue) == "3 lost\n")
    }

    @Test func theNewestProgressStandsBelowTheLines() {
        var queue = queue
        queue.show(progress: "1 %")
        queue.show(progress: "2 %")
        #expect(text(&queue) == "2 %")
        queue.append("line", isExpendable: false)
        #expect(text(&queue) == "\r\u{1B}[Kline\n2 %")
        queue.show(progress: "")
        #expect(text(&queue) == "\r\u{1B}[K")
        #expect(text(&queue) == nil)
    }
}
