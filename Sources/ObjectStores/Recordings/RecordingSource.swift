package import Presentation

/// The finished recordings of a channel, as they are sent to a destination.
///
/// All calls wait for the disk.
package protocol RecordingSource: Sendable {
    /// Returns true until a recording is removed.
    func isThere(_ id: String) -> Bool

    /// Names the objects of a recording.
    ///
    /// - Parameters:
    ///   - id: The ID of the recording.
    ///   - body: Called for each object, with its path below the recording and its stage. Stages come in order, and an
    ///     object names only those of earlier ones.
    /// - Throws: An error if the recording cannot be read, or the error of `body`.
    func forEachObject(of id: String, _ body: (_ path: String, _ stage: Int) throws -> Void) throws

    /// The bytes of an object.
    ///
    /// - Parameters:
    ///   - path: The path of the object, below the recording.
    ///   - id: The ID of the recording.
    /// - Returns: The bytes; nil if there are none any more.
    /// - Throws: An error if the object cannot be read.
    func object(_ path: String, of id: String) throws -> Body?
}
