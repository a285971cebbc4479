import ArgumentParser
import Fetching
import Foundation
import NIOCore
import NIOHTTP1
import Operations

/// `packager record`: has a running packager make a finished recording, or makes one of a directory.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a finished recording from a recorded channel.",
        discussion: """
            It asks the control API of a running packager, waits until the recording is made, and prints the path that \
            players open at the origin. If --to lies ahead, it waits until that time is recorded.

              packager record live --from 2026-11-27T20:00:00Z --to 2026-11-27T21:30:00Z --breaks cut

            The running packager must record the channel (--record). With --recording, the command needs no packager: it \
            copies the recording in that directory to --output, or makes one MP4 file of it, and prints the path. A \
            packager may record there at the same time; the command does not change the directory.

              packager record live --recording /srv/recordings/live --from 2026-11-27T20:00:00Z \
            --to 2026-11-27T21:30:00Z --output /srv/concert

            A copy keeps the keys of the channel. An MP4 file needs media in the clear.

            Exit codes: 0 made, 1 cannot be made, 2 refused, or the control API does not answer.
            """
    )

    @Argument(help: ArgumentHelp("The channel.", valueName: "name"))
    var channel: String

    @Option(help: ArgumentHelp("The start, in ISO 8601. (default: the start of the programme)", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("The end, in ISO 8601, or now. (default: the end of the programme)", valueName: "time"))
    var to: String?

    @Option(help: ArgumentHelp("The programme with this segmentation_event_id in SCTE-35.", valueName: "number"))
    var event: UInt32?

    @Option(name: .customLong("class"), help: ArgumentHelp("The newest date range of this class.", valueName: "name"))
    var className: String?

    @Option(help: ArgumentHelp("The date range with this ID.", valueName: "id"))
    var dateRange: String?

    @Option(help: ArgumentHelp("A title for operators.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("copy, reference or mp4.", valueName: "form"))
    var form: AssetRequest.Form = .copy

    @Option(help: ArgumentHelp("same (the keys of the channel) or new (keys of its own).", valueName: "word"))
    var keys: AssetRequest.Keys = .same

    @Option(help: ArgumentHelp("keep or cut: keep advertisements, or cut them out.", valueName: "word"))
    var breaks: Breaks = .keep

    @Option(help: ArgumentHelp("MP4 only: the rendition of video. (default: the largest)", valueName: "name"))
    var rendition: String?

    @Option(help: ArgumentHelp("Remove it after this time. (default: never)", valueName: "seconds"))
    var keepFor: Int?

    @Option(
        help: ArgumentHelp(
            "Make it from this directory of a recording, without a running packager.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var recording: String?

    @Option(
        help: ArgumentHelp(
            "With --recording: the directory of the copy, or the MP4 file; it must not exist yet.",
            valueName: "path"
        ),
        completion: .file()
    )
    var output: String?

    @Option(help: ArgumentHelp("The address of the control API.", valueName: "url"))
    var control = "http://127.0.0.1:8081"

    @Option(
        help: ArgumentHelp("File with an operator's token for the control API.", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    enum Breaks: String, ExpressibleByArgument, CaseIterable { case keep, cut }

    func run() async throws {
        if recording != nil || output != nil { return try await makeFromDirectory() }
        do {
            let fields = try headerFields
            let path = "\(control)/channels/\(channel)/recordings"
            let record = try await OriginClient.withClient(.init(followsRedirects: false)) { client in
                let answer = try await client.send(ByteBuffer(bytes: try body), to: path, fields)
                var record = try Self.record(in: answer)
                while record.state == .waiting {
                    try await Task.sleep(for: .seconds(1))
                    record = try Self.record(in: try await client.send(nil, to: "\(path)/\(record.id)", fields))
                }
                return record
            }
            if let problem = record.problem {
                LineWriter.standardError.write("packager: \(problem)")
                throw ExitCode(1)
            }
            print(record.path ?? "")
        } catch let code as ExitCode {
            throw code
        } catch {
            LineWriter.standardError.write("packager: \(reason(for: error))")
            throw ExitCode(2)
        }
    }

    /// Returns the reason for an error, with the address of a control API that does not answer.
    func reason(for error: any Error) -> String {
        guard let error = error as? FetchError else { return "\(error)" }
        return "\(FetchError.from(control, error)); give the address of the control API with --control"
    }

    private var headerFields: HTTPHeaders {
        get throws {
            var fields: HTTPHeaders = ["Content-Type": "application/json"]
            if let tokenFile {
                let token = try String(contentsOfFile: tokenFile, encoding: .utf8)
                fields.add(
                    name: "Authorization",
                    value: "Bearer \(token.trimmingCharacters(in: .whitespacesAndNewlines))"
                )
            }
            return fields
        }
    }

    /// The body of the request, as the control API reads it.
    private var body: Data {
        get throws {
            var fields: [String: Any] = ["form": form.rawValue, "breaks": breaks.rawValue]
            fields["from"] = from
            fields["to"] = to
            fields["title"] = title
            fields["rendition"] = rendition
            fields["keep-for"] = keepFor
            // A packager of an earlier version does not know the word.
            if keys != .same { fields["keys"] = keys.rawValue }
            var programme: [String: Any] = [:]
            programme["event"] = event.map { Int($0) }
            programme["class"] = className
            programme["date-range"] = dateRange
            if !programme.isEmpty { fields["programme"] = programme }
            return try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        }
    }

    private static func record(in answer: HTTPAnswer) throws -> AssetRecord {
        let data = Data(answer.body.readableBytesView)
        if (200..<300).contains(answer.status) { return try JSONDecoder().decode(AssetRecord.self, from: data) }
        let problems = (try? JSONDecoder().decode([String: [String]].self, from: data))?["problems"] ?? []
        throw ControlRefusal(status: answer.status, problems: problems)
    }
}

/// An answer of the control API that is no success.
private struct ControlRefusal: Error, CustomStringConvertible {
    var status: Int
    var problems: [String]

    var description: String {
        problems.isEmpty
            ? "the server answered with \(status): give the address of the control API with --control"
            : problems.joined(separator: "; ")
    }
}

extension AssetRequest.Form: ExpressibleByArgument {}
extension AssetRequest.Keys: ExpressibleByArgument {}
