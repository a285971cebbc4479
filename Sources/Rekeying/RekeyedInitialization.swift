import ContentProtection
import ISOBMFF
import Inspection
import MediaCore
import NIOCore

/// An initialization section under another key.
///
/// Only the boxes that name the key change.
enum RekeyedInitialization {
    /// - Parameters:
    ///   - bytes: The section, not encrypted as a whole.
    ///   - replacement: The replacement of the key that it names.
    /// - Returns: The new section.
    /// - Throws: A phrase, if it has not exactly one encrypted track, or names another key.
    static func rekeyed(_ bytes: ByteBuffer, _ replacement: KeyReplacement) throws(RekeyingProblem) -> ByteBuffer {
        let section: ParsedInitialization
        do throws(MalformedBoxError) {
            section = try ParsedInitialization(bytes)
        } catch {
            throw RekeyingProblem("\(error)")
        }
        guard section.tracks.count == 1, let encryption = section.track.sampleEntry.encryption else {
            throw RekeyingProblem("it is not of one encrypted track")
        }
        guard encryption.keyID == replacement.old.keyID else {
            throw RekeyingProblem("it names key \(encryption.keyID), and the playlist \(replacement.old.keyID)")
        }
        var rekeyed = Array(bytes.readableBytesView)
        rekeyed.replaceSubrange(encryption.keyIDRange, with: replacement.new.keyID.bytes.bytes)
        if !encryption.constantIV.isEmpty {
            guard encryption.constantIV.count == 16 else {
                throw RekeyingProblem("its constant initialization vector has not 16 bytes")
            }
            rekeyed.replaceSubrange(encryption.constantIVRange, with: replacement.new.constantIV.bytes)
        }
        // The last one comes first, since changes move all that follows.
        for system in section.protectionSystems.reversed() {
            guard let header = replacement.header(for: system.systemID) else {
                throw RekeyingProblem("it says something to key system \(system.systemID.hex), which is not known")
            }
            rekeyed.replaceSubrange(system.range, with: Array(header.encode().readableBytesView))
        }
        let movie = section.movieRange
        let (start, size) = (movie.lowerBound, movie.count + rekeyed.count - bytes.readableBytes)
        guard rekeyed[start..<start + 4].elementsEqual(UInt32(clamping: movie.count).bigEndianBytes) else {
            throw RekeyingProblem("its moov box has a length of 64 bits")
        }
        rekeyed.replaceSubrange(start..<start + 4, with: UInt32(clamping: size).bigEndianBytes)
        return ByteBuffer(bytes: rekeyed)
    }
}
