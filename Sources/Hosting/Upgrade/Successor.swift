import Foundation
import Succession

/// The process that is to take the place of this one.
protocol Successor: SuccessionConnection {
    /// The path of its program.
    var path: String { get }
    /// The number of the process.
    var identifier: Int32 { get }

    /// Ends it, and waits until it has ended.
    ///
    /// - Returns: The way in which it has ended, in one phrase.
    func end() async -> String
}

/// A process that this one has started.
struct StartedSuccessor: Successor {
    let path: String
    private let process: SuccessorProcess
    private let connection: SocketConnection

    /// Starts the program that is now at the path of this process's, with the same arguments.
    ///
    /// - Throws: `SuccessionError`.
    init() throws(SuccessionError) {
        let arguments = CommandLine.arguments
        let environment = ProcessInfo.processInfo.environment
        guard let path = SuccessorProcess.path(of: arguments[0], searchPath: environment["PATH"]) else {
            throw SuccessionError("there is no program at \(arguments[0])")
        }
        let (socket, other) = try SuccessionSocket.pair()
        process = try SuccessorProcess(path, arguments, environment: environment, socket: other)
        connection = SocketConnection(socket)
        self.path = path
    }

    var identifier: Int32 { process.identifier }

    func send(_ message: SuccessionMessage) throws(SuccessionError) { try connection.send(message) }

    func next() async -> SuccessionMessage? { await connection.next() }

    func end() async -> String {
        connection.shutDown()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in continuation.resume(returning: process.end()) }
        }
    }
}
