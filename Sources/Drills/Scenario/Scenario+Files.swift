import Foundation

extension Scenario {
    /// Reads scenario files, and all those (`.yaml`) in folders, in the order of their names.
    ///
    /// - Throws: ``ScenarioProblems`` of all of them together.
    package static func load(paths: [String]) throws(ScenarioProblems) -> [Scenario] {
        var scenarios: [Scenario] = []
        var problems: [ScenarioProblem] = []
        for path in paths.flatMap(files) {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                problems.append(ScenarioProblem(file: path, line: 1, message: "this is not a file that can be read"))
                continue
            }
            do throws(ScenarioProblems) {
                let scenario = try load(text, file: path) { findSample($0, from: path) }
                if scenarios.contains(where: { $0.name == scenario.name }) {
                    problems.append(ScenarioProblem(file: path, line: 1, message: "another scenario has this name"))
                }
                scenarios.append(scenario)
            } catch {
                problems += error.problems
            }
        }
        if scenarios.isEmpty, problems.isEmpty {
            problems = paths.map { ScenarioProblem(file: $0, line: 1, message: "there is no scenario here") }
        }
        guard problems.isEmpty else { throw ScenarioProblems(problems: problems) }
        return scenarios
    }

    private static func files(_ path: String) -> [String] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return [path]
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { URL(filePath: path).appending(path: $0).path }
    }

    /// Looks for a file beside a scenario file, then in the folders above it.
    private static func findSample(_ name: String, from file: String) -> String? {
        if name.hasPrefix("/") { return FileManager.default.isReadableFile(atPath: name) ? name : nil }
        var folder = URL(filePath: file).standardizedFileURL.deletingLastPathComponent()
        while true {
            let candidate = folder.appending(path: name).path
            if FileManager.default.isReadableFile(atPath: candidate) { return candidate }
            guard folder.path != "/" else { return nil }
            folder.deleteLastPathComponent()
        }
    }
}
