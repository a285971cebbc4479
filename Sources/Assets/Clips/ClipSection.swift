import ISOBMFF
import Inspection
import MediaCore
import NIOCore

/// The part of an initialization section that a clip takes over: the track, and its sample entry in the clear.
struct ClipSection: Hashable, Sendable {
    let initialization: ParsedInitialization
    let kind: MediaKind
    let placement: PicturePlacement
    /// The sample entry without encryption: a whole box.
    let entry: ByteBuffer

    /// - Parameters:
    ///   - bytes: An initialization section, in the clear as a whole.
    ///   - path: Its path, for errors.
    /// - Throws: ``ClipError`` if it cannot be read, or is neither of video nor of audio.
    init(_ bytes: ByteBuffer, _ path: String) throws(ClipError) {
        do throws(MalformedBoxError) {
            initialization = try ParsedInitialization(bytes)
        } catch {
            throw ClipError.unreadable(path: path, reason: "\(error)")
        }
        let track = initialization.track
        guard let placement = PicturePlacement(track.placement), let entry = bytes.clearEntry(track.sampleEntry),
            track.timescale > 0
        else { throw ClipError.unreadable(path: path, reason: "its track cannot be copied") }
        switch track.handler {
        case "vide": kind = .video
        case "soun": kind = .audio
        case let handler:
            throw ClipError.unreadable(path: path, reason: "it has a track of \(handler), which no clip has")
        }
        (self.placement, self.entry) = (placement, entry)
    }

    var track: ParsedTrack { initialization.track }

    /// A BCP 47 tag; nil if the language is not known.
    var language: String? {
        track.extendedLanguage ?? (track.language == "und" ? nil : track.language)
    }
}

extension ByteBuffer {
    /// Returns the sample entry in these bytes without its encryption (ISO/IEC 14496-12 § 8.12); nil if there is none.
    fileprivate func clearEntry(_ entry: ParsedSampleEntry) -> ByteBuffer? {
        let hidden = entry.protectionRange ?? entry.range.upperBound..<entry.range.upperBound
        // Behind size and type.
        let fields = entry.range.lowerBound + 8..<hidden.lowerBound
        let rest = hidden.upperBound..<entry.range.upperBound
        guard let fieldBytes = getSlice(at: readerIndex + fields.lowerBound, length: fields.count),
            let restBytes = getSlice(at: readerIndex + rest.lowerBound, length: rest.count)
        else { return nil }
        var clear = ByteBuffer()
        clear.writeInteger(UInt32(8 + fields.count + rest.count))
        clear.writeInteger(entry.originalFormat.code)
        clear.writeImmutableBuffer(fieldBytes)
        clear.writeImmutableBuffer(restBytes)
        return clear
    }
}
