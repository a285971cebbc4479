import Testing

/// Runs the tests, all of which are swift-testing's.
@main struct AllTests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
