/// A queue whose operations cost no more the longer it is.
///
/// Elements are kept in chunks. Changing a queue that has a copy copies its last chunk, and only references to the
/// others.
struct ChunkedQueue<Element>: RandomAccessCollection {
    private var chunks: [[Element]] = []
    /// Elements at the head of the first chunk that are no longer in the queue.
    private var removedCount = 0
    private(set) var count = 0

    /// The length of a chunk: short, so that a short queue keeps few elements that are no longer in it.
    private static var chunkLength: Int { 64 }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Element {
        let (chunk, offset) = (removedCount + position).quotientAndRemainder(dividingBy: Self.chunkLength)
        return chunks[chunk][offset]
    }

    mutating func append(_ element: Element) {
        if (removedCount + count).isMultiple(of: Self.chunkLength) { chunks.append([]) }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    /// - Precondition: The queue has at least as many elements.
    mutating func removeFirst(_ number: Int) {
        precondition(number <= count, "more are removed than there are")
        count -= number
        let (whole, offset) = (removedCount + number).quotientAndRemainder(dividingBy: Self.chunkLength)
        if whole > 0 { chunks.removeFirst(whole) }
        removedCount = offset
        if count == 0 { self = Self() }
    }
}

extension ChunkedQueue: Sendable where Element: Sendable {}
