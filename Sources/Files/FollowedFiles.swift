import Glibc
import NIOCore
import Synchronization

/// A value that is made of files, and made anew when they change.
///
/// Several files are replaced one after the other, so that for a moment they do not match. Contents that cannot be used
/// are reported only if the next check finds them unchanged; the previous value stays in force.
package final class FollowedFiles<Value: Sendable>: Sendable {
    /// The bytes of each file.
    fileprivate typealias Contents = [[UInt8]]

    fileprivate struct State {
        var value: Value
        var contents: Contents
        /// The contents of files that cannot be used, and true if that was reported.
        var refused: (contents: Contents?, isReported: Bool)?
    }

    private let paths: [String]
    private let make: @Sendable ([[UInt8]]) throws -> Value
    private let state: Mutex<State>

    /// - Parameters:
    ///   - paths: The files.
    ///   - make: Makes the value of their bytes.
    /// - Throws: ``FileError`` if one cannot be read, and the error of `make`.
    package init(_ paths: [String], make: @escaping @Sendable ([[UInt8]]) throws -> Value) throws {
        self.paths = paths
        self.make = make
        let contents = try Self.read(paths)
        state = Mutex(State(value: try make(contents), contents: contents))
    }

    /// The value of the last successful reading.
    package var value: Value { state.withLock { $0.value } }

    /// Reads the files again.
    ///
    /// - Returns: The new value, or the reason why there is none, once; nil if nothing has changed.
    package func look() -> Result<Value, any Error>? {
        let contents: Contents?
        let made: Result<Value, any Error>
        do {
            let read = try Self.read(paths)
            if state.withLock({ $0.isKnown(read) }) { return nil }
            contents = read
            made = Result { try make(read) }
        } catch {
            contents = nil
            made = .failure(error)
        }
        return state.withLock { $0.take(made, of: contents) }
    }

    private static func read(_ paths: [String]) throws(FileError) -> Contents {
        var contents: Contents = []
        for path in paths {
            contents.append(try OpenFile.contents(of: path))
        }
        return contents
    }
}

/// The bytes are private keys, for example.
extension FollowedFiles: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension FollowedFiles.State {
    /// Returns true if the value is of these bytes; contents that were refused in between are forgotten then.
    fileprivate mutating func isKnown(_ found: [[UInt8]]) -> Bool {
        if found == contents { refused = nil }
        return found == contents
    }

    /// - Parameters:
    ///   - made: The value that was made of the files, or the error.
    ///   - found: Their bytes; nil if they could not be read.
    /// - Returns: The part of that which is news.
    fileprivate mutating func take(
        _ made: Result<Value, any Error>,
        of found: [[UInt8]]?
    ) -> Result<Value, any Error>? {
        if case .success(let value) = made, let found {
            self = Self(value: value, contents: found)
            return made
        }
        guard let refused, refused.contents == found else {
            refused = (found, isReported: false)
            return nil
        }
        self.refused?.isReported = true
        return refused.isReported ? nil : made
    }
}
