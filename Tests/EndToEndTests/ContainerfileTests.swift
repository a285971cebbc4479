import Foundation
import TestSupport
import Testing

/// The Containerfile as far as it can be judged without building it; `make package-check` builds it where it can.
@Suite struct ContainerfileTests {
    private func check(_ file: String) async throws -> String {
        try await Program.run(Repository.python, [Repository.script("System/containerfile.py"), file])
    }

    @Test func containerfileHasNoMistake() async throws {
        #expect(try await check(Repository.root.appending(path: "Containerfile").path) == "")
    }

    @Test func mistakesAreFoundWithTheirLines() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            """
            FROM debian:12-slim AS build
            RUN apt-get install make && if
            FROM debian
            COPY nothing /nothing
            COPY --from=biuld /packages /packages
            EXPOSE http
            CMD ["packager"
            """,
            to: "Containerfile"
        )
        let failure = await #expect(throws: Program.Failure.self) { try await check(file) }
        let report = failure?.description ?? ""
        for problem in [
            ":2: sh cannot read it", ":2: apt-get install asks", ":3: debian has no version", ":4: there is no nothing",
            ":5: there is no stage 'biuld'", ":6: 'http' is no port", ":7: it begins like JSON and is none",
            ":7: the image runs as root",
        ] {
            #expect(report.contains("Containerfile\(problem)"), "\(problem) in \(report)")
        }
    }
}
