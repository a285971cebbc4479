/// The moment when a packager is killed.
enum KillMoment: Hashable, Sendable {
    /// So long after it was started.
    case started(Duration)
    /// The moment when it has made or written so many files of its segments.
    case writing(files: Int)

    static func random(using random: inout some RandomNumberGenerator) -> Self {
        switch Int.random(in: 0..<4, using: &random) {
        // A slot makes three files, or six where the key is new, and writes each once; then comes the journal's line.
        case 0: .writing(files: .random(in: 1...12, using: &random))
        case 1: .started(.milliseconds(Int.random(in: 0..<4500, using: &random)))
        default: .started(.milliseconds(Int.random(in: 0..<1300, using: &random)))
        }
    }
}
