package import Files
package import MediaCore

/// The reason why a recording cannot be used, or cannot answer.
package enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The directory cannot be made, read or written.
    case unusable(FileError)
    /// Another process writes to the directory.
    case inUse(directory: String)
    /// The directory has files, and they are no recording.
    case foreign(directory: String)
    /// A later version of the packager wrote it.
    case newerVersion(directory: String, version: Int)
    /// A directory is not the recording of the channel, for a reason in one phrase.
    case noRecording(directory: String, reason: String)
    /// The recording is of a stream that differs in a setting.
    case otherStream(directory: String, setting: String, was: String, is: String)
    /// A slot that is to be filled in lies outside of the recording.
    case outside(MediaSequenceNumber)
    /// A query has too many slots.
    case tooLong(Range<MediaSequenceNumber>)
    /// Bytes that are to be filled in are missing, or are not those of the slot.
    case mismatch(path: String)
    /// A file of the recording cannot be read or written.
    case failed(FileError)

    package var description: String {
        switch self {
        case .unusable(let error): "the recording cannot be used: \(error)"
        case .inUse(let directory): "the recording \(directory) is in use by another packager"
        case .foreign(let directory):
            "\(directory) has other files, and is no recording: use another directory, or empty this one"
        case .newerVersion(let directory, let version):
            "the recording \(directory) is of version \(version), and this packager supports versions up to "
                + "\(RecordingDocument.currentVersion): use the newer packager, or another directory"
        case .noRecording(let directory, let reason): "\(directory) is not the recording of the channel: \(reason)"
        case .otherStream(let directory, let setting, let was, let now):
            "the recording \(directory) is of another stream: \(setting) was \(was) and is \(now); restore the setting, "
                + "or give another directory"
        case .outside(let number): "slot \(number) is not within what is recorded"
        case .tooLong(let numbers):
            "slots \(numbers.lowerBound) to \(numbers.upperBound.previous) are more than one question may be about"
        case .mismatch(let path): "\(path) is missing, or has other bytes than its entity tag says"
        case .failed(let error): "the recording cannot be read or written: \(error)"
        }
    }
}
