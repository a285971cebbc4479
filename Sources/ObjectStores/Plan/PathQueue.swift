/// Paths in the order in which they are to be sent.
struct PathQueue: Sendable {
    private var paths: [String] = []
    private var head = 0

    var isEmpty: Bool { head == paths.count }
    /// The paths in the queue.
    var rest: ArraySlice<String> { paths[head...] }

    mutating func append(_ path: String) { paths.append(path) }

    /// Keeps the paths for which a function returns true.
    mutating func keep(where isKept: (String) -> Bool) {
        paths = rest.filter(isKept)
        head = 0
    }

    /// Puts a path before all others.
    mutating func putBack(_ path: String) {
        if head > 0 {
            head -= 1
            paths[head] = path
        } else {
            paths.insert(path, at: 0)
        }
    }

    mutating func popFirst() -> String? {
        guard head < paths.count else { return nil }
        defer {
            head += 1
            // The removed part is never larger than the rest.
            if head > paths.count / 2 {
                paths.removeFirst(head)
                head = 0
            }
        }
        return paths[head]
    }
}
