package import ContentProtection
package import MediaCore

/// The reason why a device gets no key.
package enum FairPlayError: Error, Hashable {
    // The request is no SPC, or an incomplete one.
    case empty
    case oversized(bytes: Int)
    /// The certificate, in DER, came in place of the SPC.
    case certificatePosted
    case unknownVersion(UInt32)
    /// A message that ends within its header.
    case truncated(bytes: Int)
    /// The payload length is 0 or no multiple of 16.
    case payloadLength(UInt32)
    /// A message with more or fewer bytes than its payload length states.
    case payloadMismatch(stated: UInt32, present: Int)

    // The message cannot be decrypted, or is damaged.
    case unknownCertificate(hash: String)
    /// The private key does not unwrap its key.
    case unwrapping
    /// Version 3, and the plug-in does not say how that is opened.
    case unsupportedVersion3
    case unknownProtocol(Bytes16)
    /// The message authentication code of version 3 is wrong.
    case authentication

    // The TLLVs of the message are malformed.
    case truncatedField(bytes: Int)
    case blockLength(TLLVTag, UInt32)
    case valueBeyondBlock(TLLVTag, value: UInt32, block: UInt32)
    case blockBeyondEnd(TLLVTag, block: UInt32, rest: Int)
    case valueLength(TLLVTag, UInt32)
    case duplicateTag(TLLVTag)
    /// A missing tag that is required, or that the device wants returned in the CKC.
    case missingTag(TLLVTag)
    /// A tag that only a key security module sends.
    case tagOfServer(TLLVTag)
    case protocolVersion(used: UInt32, supported: [UInt32])

    // There is no key for this device.
    case keyNotFound(assetID: [UInt8])
    case seconds(UInt32, UInt32)
    case offlineKeyElsewhere(PlaybackDestination)
    case unenforceable(Term)

    // The plug-in or the library fails.
    /// [SK…R1] is not what its integrity value says.
    case integrity
    case provider(status: Int32)
    case providerAnswer(String)
    case openSSL(OpenSSLError)

    /// A term that a device cannot be held to.
    package enum Term: Hashable, Sendable {
        case duration, playbackDuration, hdcpType1, securityLevel
    }
}
