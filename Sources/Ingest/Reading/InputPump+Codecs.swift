import MediaCore

/// Facts about tracks that packets show, and that the container does not say, or no longer.
extension InputPump {
    /// Tells the consumer of the tracks if the packet brings another codec header than it knows, or is the first of its
    /// track that is encrypted.
    mutating func noteTrack(of packet: borrowing Packet, container: FormatContext.Container) {
        let index = packet.streamIndex
        let header = packet.newHeader
        if let header { newHeaders[index] = header }
        let isNewlyEncrypted = packet.isEncrypted && encrypted.insert(index).inserted
        guard header != nil || isNewlyEncrypted, let place = tracks.firstIndex(where: { $0.index.value == index })
        else {
            return
        }
        let before = tracks[place]
        if let header { tracks[place].header = header }
        tracks[place].isEncrypted = encrypted.contains(index)
        if tracks[place] != before { delivery.tracksNamed(tracks, modulus: modulus, container: container) }
    }

    /// Reads the stream anew if the packet shows that it is of another codec than libavformat says.
    ///
    /// - Throws: ``FFmpegError`` if it was audio and now is video, or the other way round: another feed has come in the
    ///   place of this one, as when an encoder of radio goes on with television, and is to be opened.
    mutating func noteCodec(of packet: borrowing Packet, container: FormatContext.Container) throws(FFmpegError) {
        let index = packet.streamIndex
        guard container.hasProgramMap, !packet.isCorrupt, !encrypted.contains(index),
            let old = tracks.first(where: { $0.index.value == index })?.codec
        else { return }
        var found: InputTrack.Codec?
        packet.withPayload { found = codecWatches[index, default: CodecWatch()].look(at: $0, of: old) }
        guard let new = found, let unit = streams[index]?.unit else { return }
        if CodecWatch.isVideo(old) != CodecWatch.isVideo(new) {
            // A file would begin anew, and a pipe cannot.
            guard address.feed.kind == .network else { return }
            let change = CodecWatch.isVideo(new) ? "audio to video" : "video to audio"
            throw FFmpegError(code: FFmpegError.otherMedia, operation: "track \(index) changed from \(change)")
        }
        newCodecs[index] = (newCodecs[index]?.old ?? old, new)
        for place in tracks.indices where tracks[place].index.value == index {
            (tracks[place].codec, tracks[place].header) = (new, [])
            streams[index] = InputStream(unit: unit, track: tracks[place], hasProgramMap: true)
        }
        delivery.tracksNamed(tracks, modulus: modulus, container: container)
    }
}
