import MediaCore

extension FairPlayError {
    /// The number of the error in Apple's own server.
    package var number: Int32 {
        switch self {
        case .certificatePosted, .unknownVersion: -42580
        case .empty, .oversized, .truncated, .payloadLength, .payloadMismatch, .truncatedField, .blockLength,
            .valueBeyondBlock, .blockBeyondEnd, .valueLength, .tagOfServer:
            -42581
        case .missingTag: -42583
        case .keyNotFound: -42584
        case .seconds, .offlineKeyElsewhere: -42585
        case .authentication, .integrity: -42589
        case .unknownProtocol, .protocolVersion: -42590
        case .duplicateTag: -42591
        case .providerAnswer, .openSSL: -42601
        case .unenforceable: -42604
        case .unknownCertificate, .unwrapping: -42605
        case .unsupportedVersion3: -42612
        case .provider(let status): status
        }
    }
}

extension FairPlayError: CustomStringConvertible {
    package var description: String { "\(sentence) (\(number))" }

    /// The words of a refusal.
    ///
    /// They quote nothing of the decrypted contents, because anybody can send a captured request with its blocks in
    /// another order.
    package var answer: String {
        switch self {
        case .truncatedField, .blockLength, .valueBeyondBlock, .blockBeyondEnd, .valueLength, .duplicateTag,
            .tagOfServer, .protocolVersion, .unknownProtocol:
            "the contents of the SPC are not what they should be (\(number))"
        default: description
        }
    }

    private var sentence: String {
        switch self {
        case .empty: "the request is empty where an SPC is expected"
        case .oversized(let bytes): "the request has \(bytes) bytes, more than any SPC"
        case .certificatePosted:
            "the request is the application certificate: the application has sent it instead of the SPC that was made with it"
        case .unknownVersion(let version): "the request begins with \(version), which is no version of an SPC"
        case .truncated(let bytes): "the SPC ends within its header, after \(bytes) bytes"
        case .payloadLength(let length): "the SPC has a payload of \(length) bytes, which are no whole blocks"
        case .payloadMismatch(let stated, let present):
            "the SPC says that its payload has \(stated) bytes, and has \(present)"
        case .unknownCertificate(let hash): "the SPC is for the certificate \(hash), which is not configured"
        case .unwrapping: "the SPC is damaged, or made for another key than that of its certificate"
        case .unsupportedVersion3: "the SPC has version 3, which the plug-in does not open"
        case .unknownProtocol(let version): "the SPC is of the protocol \(version.hex), which the plug-in does not know"
        case .authentication: "the SPC is damaged: its authentication code is wrong"
        case .truncatedField(let bytes): "the SPC ends within a field, \(bytes) bytes after it began"
        case .blockLength(let tag, let length): "\(tag) has a block of \(length) bytes, no multiple of 16"
        case .valueBeyondBlock(let tag, let value, let block): "\(tag) has \(value) bytes in a block of \(block)"
        case .blockBeyondEnd(let tag, let block, let rest):
            "\(tag) has a block of \(block) bytes where the SPC has \(rest) more"
        case .valueLength(let tag, let length): "\(tag) has \(length) bytes, which it cannot have"
        case .duplicateTag(let tag): "\(tag) comes twice"
        case .missingTag(let tag): "\(tag) is missing"
        case .tagOfServer(let tag): "the SPC has \(tag), which only a server says"
        case .protocolVersion(let used, let supported):
            "the device used version \(used) of the protocol, and says that it supports \(supported)"
        case .keyNotFound(let assetID):
            "there is no key for the asset \(String(reflecting: String(decoding: assetID, as: UTF8.self)))"
        case .seconds(let lease, let rental):
            "a lease of \(lease) s or a rental of \(rental) s cannot be said: seconds are 1 to 4294967294"
        case .offlineKeyElsewhere(let destination):
            "a key is not stored for playback \(destination == .airPlay ? "by AirPlay" : "through an adapter")"
        case .unenforceable(let term): "the device cannot be held to \(term.words)"
        case .integrity: "the session key of the SPC is not what its integrity value says"
        case .provider(let status): "the FairPlay plug-in refuses with status \(status)"
        case .providerAnswer(let answer): "the FairPlay plug-in gives what cannot be: \(answer)"
        case .openSSL(let error): "\(error)"
        }
    }
}

extension FairPlayError.Term {
    fileprivate var words: String {
        switch self {
        case .duration: "a lease or a rental, since it does not say how far its playback is"
        case .playbackDuration: "a playback duration of a stored key"
        case .hdcpType1: "HDCP type 1"
        case .securityLevel: "the security level"
        }
    }
}
