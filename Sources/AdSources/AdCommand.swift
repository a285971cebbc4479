package import Fetching
import Foundation
import MediaCore
import Subprocess

/// A program that is run for each break: it is given the break as JSON, and answers with an asset list or in VAST.
package struct AdCommand: AdSource {
    private let words: [String]
    private let fetcher: any Fetcher
    private let reach: AdReach

    /// The most bytes of a list, and of what the program writes to standard error.
    private static let maximumBytes = 1 << 20

    /// - Parameters:
    ///   - words: A program's name or path, and its arguments.
    ///   - fetcher: The fetcher for the wrappers of a VAST answer.
    ///   - reach: Decides which servers an answer may name.
    package init(_ words: [String], fetcher: any Fetcher, reach: AdReach) {
        (self.words, self.fetcher, self.reach) = (words, fetcher, reach)
    }

    package func assets(for adBreak: AdBreak) async throws -> AssetList {
        var options = PlatformOptions()
        // Its child processes end with it.
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(100))
        ]
        let result = try await Subprocess.run(
            // The shell writes to the program, which need not read it: a broken pipe then does not affect this process.
            .name("sh"),
            arguments: Arguments(
                ["-c", #"printf '%s\n' "$0" | "$@""#, String(decoding: try adBreak.json(), as: UTF8.self)] + words
            ),
            platformOptions: options,
            output: .bytes(limit: Self.maximumBytes),
            error: .string(limit: Self.maximumBytes)
        )
        guard result.terminationStatus.isSuccess else {
            let words = result.standardError.split(separator: "\n").last ?? "\(result.terminationStatus)"
            throw AdSourceError("it failed: \(words)")
        }
        let bytes = result.standardOutput
        let isMarkup = bytes.first { !UInt8.spaces.contains($0) } == UInt8(ascii: "<")
        if isMarkup { return try await VASTReader(fetcher: fetcher, reach: reach).assets(in: bytes) }
        return try AssetList(parsing: Data(bytes))
    }
}

extension UInt8 {
    /// White space of JSON and XML, and the bytes of a byte order mark.
    fileprivate static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
}
