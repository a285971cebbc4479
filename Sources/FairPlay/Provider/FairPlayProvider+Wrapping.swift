import CFairPlayProvider
import ContentProtection
import MediaCore
import NIOCore

extension FairPlayProvider {
    /// Wraps a content key for the requesting device, by the plug-in.
    ///
    /// - Throws: ``FairPlayError`` if the plug-in refuses, or gives what cannot be.
    func wrap(_ grant: KeyGrant, for spc: ServerPlaybackContext) throws(FairPlayError) -> WrappedKey {
        let value = { (tag: TLLVTag) in spc[tag].map { Array($0.readableBytesView) } ?? [] }
        let inputs = [
            spc.certificate.sha1, spc.certificate.provisioningData, value(.sessionKeyR1), value(.integrity), value(.r2),
            value(.videoSessionKeyR1), value(.videoR2), value(.keyFormats), grant.key.contentKey.secret.bytes,
            grant.key.constantIV.bytes,
        ]
        let isVideo = grant.key.keyClass.isVideo
        // Outside `cbcs`, slice headers can be encrypted, which others than the video decoder have to read.
        let wantsVideoKey = isVideo && grant.isCBCS && spc.hasVideoSessionKey
        var answer = packager_fairplay_answer()
        // All inputs lie in one piece of memory while the plug-in reads them.
        let status = unsafe Array(inputs.joined()).withUnsafeBufferPointer { bytes in
            var position = 0
            let pieces = unsafe inputs.map { input in
                defer { position += input.count }
                return unsafe packager_fairplay_bytes(
                    bytes: bytes.baseAddress?.advanced(by: position),
                    count: input.count
                )
            }
            var request = unsafe packager_fairplay_request(
                certificate_hash: pieces[0],
                provisioning_data: pieces[1],
                session_key_r1: pieces[2],
                integrity: pieces[3],
                r2: pieces[4],
                video_session_key_r1: pieces[5],
                video_r2: pieces[6],
                key_formats: pieces[7],
                content_key: pieces[8],
                content_iv: pieces[9],
                protocol_version: spc.protocolVersion,
                content_type: UInt32(isVideo ? PACKAGER_FAIRPLAY_CONTENT_VIDEO : PACKAGER_FAIRPLAY_CONTENT_AUDIO),
                session_key: UInt32(
                    wantsVideoKey ? PACKAGER_FAIRPLAY_SESSION_KEY_VIDEO : PACKAGER_FAIRPLAY_SESSION_KEY_GENERIC
                )
            )
            return unsafe createKey(&request, &answer)
        }
        guard status != PACKAGER_FAIRPLAY_INTEGRITY else { throw .integrity }
        guard status == PACKAGER_FAIRPLAY_OK else { throw .provider(status: status) }
        return try WrappedKey(answer, hasVideoSessionKey: spc.hasVideoSessionKey)
    }
}

extension WrappedKey {
    /// The codes of session keys in CKCs.
    private static let codes: [UInt32: UInt64] = [
        UInt32(PACKAGER_FAIRPLAY_SESSION_KEY_GENERIC): 0x182b_0bb9_f373_83d1,
        UInt32(PACKAGER_FAIRPLAY_SESSION_KEY_VIDEO): 0x02a6_9d25_f4b9_4c7c,
    ]

    fileprivate init(
        _ answer: packager_fairplay_answer,
        hasVideoSessionKey: Bool
    ) throws(FairPlayError) {
        guard (1...Int(PACKAGER_FAIRPLAY_KEY_ROOM)).contains(answer.content_key_count) else {
            throw .providerAnswer("\(answer.content_key_count) bytes of content key")
        }
        let r1 = unsafe withUnsafeBytes(of: answer.r1) { unsafe Array($0) }
        guard r1.contains(where: { $0 != 0 }) else { throw .providerAnswer("no R1") }
        guard let code = Self.codes[answer.session_key], Self.codes[answer.r1_session_key] != nil else {
            throw .providerAnswer("session keys \(answer.session_key) and \(answer.r1_session_key)")
        }
        let key = unsafe withUnsafeBytes(of: answer.content_key) { bytes in
            unsafe ByteBuffer(bytes: bytes.prefix(answer.content_key_count))
        }
        fields = [TLLV(TLLVTag(rawValue: answer.content_key_tag), key), TLLV(.r1, ByteBuffer(bytes: r1))]
        // A device that knows only one session key does not need this field.
        if hasVideoSessionKey { fields.append(TLLV(.sessionKeyUsed, .integers(UInt32(1), UInt32(0), code))) }
        self.r1 = r1
        isR1OfVideo = answer.r1_session_key == PACKAGER_FAIRPLAY_SESSION_KEY_VIDEO
        deviceID = unsafe withUnsafeBytes(of: answer.hu) { unsafe Array($0) }
    }
}
