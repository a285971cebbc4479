/// The problems of a request, which is answered 400 with them.
package struct MalformedRequest: Error, Hashable {
    var problems: [String]

    init(_ problems: [String]) {
        self.problems = problems
    }

    init(_ problem: String) {
        problems = [problem]
    }
}
