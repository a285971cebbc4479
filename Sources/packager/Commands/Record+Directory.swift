import ArgumentParser
import Assets
import Foundation
import Hosting
import MediaCore
import Operations

/// Finished recordings that are made of a directory, without a running packager.
extension Record {
    /// The order to make a finished recording.
    struct Order {
        var export: AssetExport
        var request: AssetRequest
        /// UTC.
        var range: Range<MediaTime>
        /// The path of the directory of a copy, or of the MP4 file.
        var destination: String
    }

    /// Makes a finished recording of the directory of a recording, and prints the path of the file that players open.
    ///
    /// - Throws: `ExitCode` 2 if it is refused, and 1 if it cannot be made.
    func makeFromDirectory() async throws {
        let order: Order
        do {
            order = try self.order()
        } catch {
            LineWriter.standardError.write("packager: \(error)")
            throw ExitCode(2)
        }
        do {
            let made = try await order.export.make(order.request, at: order.destination)
            if !made.extent.covers(order.range) {
                let (start, end) = (made.extent.lowerBound.iso8601, made.extent.upperBound.iso8601)
                LineWriter.standardError.write("packager: only \(start) to \(end) of that time is recorded")
            }
            print(form == .mp4 ? order.destination : "\(order.destination)/\(made.file)")
        } catch {
            LineWriter.standardError.write("packager: \(error)")
            throw Self.exitCode(for: error)
        }
    }

    /// Returns the exit code for an error of making: a time of gaps is refused, as one outside the recording is.
    static func exitCode(for error: any Error) -> ExitCode {
        switch error {
        case AssetError.nothingRecorded, ClipError.nothingRecorded: ExitCode(2)
        default: ExitCode(1)
        }
    }

    /// Reads the options, and opens the recording.
    ///
    /// - Throws: An error that says in words why it is refused.
    func order() throws -> Order {
        guard let recording, let output else {
            throw SetupError("--recording and --output go together: the source and the result")
        }
        try checkOptions()
        var destination = output
        while destination.hasSuffix("/") { destination.removeLast() }
        guard !destination.isEmpty else {
            throw SetupError("--output: '\(output)' is not the path of a new file or directory")
        }
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw SetupError("--output: \(destination) exists already; give another path")
        }
        let now = SystemClock().now
        let from = try time(self.from, "--from", now: now)
        let to = try time(self.to, "--to", now: now)
        guard from < to else { throw SetupError("--to must be later than --from") }
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(from), Timestamp(to))
        (request.form, request.cutsBreaks, request.rendition) = (form, breaks == .cut, rendition)
        let export = try AssetExport(of: recording, channel: channel)
        try export.check(request, now: now)
        return Order(export: export, request: request, range: from..<to, destination: destination)
    }

    /// Refuses options that only a running packager can do something with.
    private func checkOptions() throws(SetupError) {
        guard event == nil, className == nil, dateRange == nil else {
            throw SetupError("only a running packager finds programmes; with --recording, give --from and --to")
        }
        guard form != .reference else {
            throw SetupError("a reference needs a running packager; with --recording, give --form copy or mp4")
        }
        guard keys == .same else {
            throw SetupError("with --recording, the keys stay the same; use packager rekey on the copy")
        }
        guard title == nil, keepFor == nil, tokenFile == nil else {
            throw SetupError("--title, --keep-for and --token-file are for a running packager, not for --recording")
        }
    }

    private func time(_ text: String?, _ flag: String, now: MediaTime) throws(SetupError) -> MediaTime {
        guard let text else { throw SetupError("with --recording, \(flag) is needed") }
        if text == "now" { return now }
        guard let time = MediaTime(iso8601: text) else {
            throw SetupError("\(flag): '\(text)' is not a time with its zone, such as 2026-11-27T20:00:00Z")
        }
        return time
    }
}

extension Range<MediaTime> {
    /// Returns true if no more than a second of another range is missing at either end.
    fileprivate func covers(_ other: Self) -> Bool {
        let second = MediaTime(seconds: 1)
        return lowerBound - second <= other.lowerBound && upperBound + second >= other.upperBound
    }
}
