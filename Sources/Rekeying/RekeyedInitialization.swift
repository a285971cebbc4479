import ContentProtection
import Inspection
import MediaCore
import NIOCore

/// An initialization section under another key: all of it stays as it is but for what names the key.
enum RekeyedInitialization {
    /// - Parameters:
    ///   - bytes: In the clear as a whole.
    ///   - replacement: Whose old key it names.
    /// - Returns: As many bytes.
    /// - Throws: A phrase, where it is not of one encrypted track, or names another key.
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
        for range in section.protectionSystems.map(\.range) {
            var box = Array(rekeyed[range])
            guard replacement.replaceKeyID(in: &box) else {
                throw RekeyingProblem("it says something to a key system that cannot be said of another key")
            }
            rekeyed.replaceSubrange(range, with: box)
        }
        return ByteBuffer(bytes: rekeyed)
    }
}
