/// Everything that is wrong with what a request says: it is answered 400 with that.
package struct MalformedRequest: Error, Hashable {
    var problems: [String]

    init(_ problems: [String]) {
        self.problems = problems
    }

    init(_ problem: String) {
        problems = [problem]
    }
}
