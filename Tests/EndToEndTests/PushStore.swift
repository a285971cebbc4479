import Foundation
import TestSupport

/// A store of others, as `stores.py` runs it, that channels are sent to.
struct PushStore {
    /// The secret that signs requests to a bucket, which must be seen nowhere.
    static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    let program: Program
    private let kind: String
    private let url: String
    private let credentials: String

    /// Starts it, and waits until it answers.
    ///
    /// - Parameters:
    ///   - kind: seaweedfs or nginx.
    ///   - directory: A directory for its files and for the credentials.
    /// - Throws: What it says if it does not start.
    init(_ kind: String, in directory: TemporaryDirectory) async throws {
        self.kind = kind
        let script = Repository.script("ObjectStoresTests/Stores/stores.py")
        let program = try Program(Repository.python, [script, kind, directory.path])
        self.program = program
        url = try await eventually(within: 60, "\(kind) answers") {
            if let line = program.output.split(separator: "\n").first(where: { $0.hasPrefix("url ") }) {
                return String(line.dropFirst(4))
            }
            if !program.isRunning { throw Program.Failure(description: program.errors) }
            return nil
        }
        credentials = try directory.write(
            """
            aws_access_key_id = AKIDEXAMPLE
            aws_secret_access_key = \(Self.secret)
            """,
            to: "credentials"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: credentials)
    }

    /// The URL below which players read, with a slash at its end.
    var base: String { "\(url)/media/live/" }

    /// The destination as `--push` has it.
    ///
    /// - Parameter options: Fields of the destination, besides those of the store, such as `recordings=true`.
    /// - Returns: The value of the flag.
    func destination(_ options: [String] = []) -> String {
        let isBucket = kind != "nginx"
        let own = isBucket ? ["region=us-east-1", "endpoint=\(url)", "credentials=\(credentials)"] : []
        let all = (own + options).joined(separator: "&")
        return (isBucket ? "s3://media/live" : "\(url)/media/live") + (all.isEmpty ? "" : "?\(all)")
    }
}
