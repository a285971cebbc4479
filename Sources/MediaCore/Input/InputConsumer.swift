/// Receives the events of an input, on the input's own thread and in order unless stated otherwise.
package protocol InputConsumer: AnyObject, Sendable {
    /// The input is open, for the first time or again; packets of these tracks follow.
    ///
    /// - Parameters:
    ///   - tracks: The tracks that the container names.
    ///   - timestampModulus: Ticks of 90 kHz after which timestamps wrap (2^33 in a transport stream); nil if never.
    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?)

    /// Receives a packet; `payload` is valid during the call only.
    func inputReceived(_ packet: PacketInfo, payload: RawSpan)

    /// Timed metadata came beside the tracks: an ID3 tag.
    ///
    /// - Parameters:
    ///   - packet: Its time; the index is no track's.
    ///   - program: Number of the program that it belongs to.
    ///   - payload: The tag, only there during the call.
    func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan)

    /// A message about the programme's splices came beside the tracks: a `splice_info_section` (ANSI/SCTE 35 § 9.6).
    ///
    /// - Parameters:
    ///   - section: From its table_id on, as it came; only there during the call.
    ///   - program: Number of the program that it belongs to; nil if it may be any.
    ///   - shift: The time by which timestamps of packets were moved against those of the section, in 90 kHz ticks.
    func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64)

    /// The input broke off and will be tried again.
    func inputLost(reason: String)

    /// A finite feed has come to its end; nothing follows.
    func inputEnded()

    /// A notice about the input has come, for the channel's operator.
    func inputNoticed(_ notice: InputNotice)

    /// A packet that was received some time before was decoded, where its content is examined.
    ///
    /// Called on a thread of its own, which nothing waits for: it may come after the input was lost.
    func inputExamined(_ finding: ContentFinding)
}

extension InputConsumer {
    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {}
    package func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {}
    package func inputNoticed(_ notice: InputNotice) {}
    package func inputExamined(_ finding: ContentFinding) {}
}
