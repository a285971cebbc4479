/// A fact about an input that is neither a packet nor its end.
package enum InputNotice: Hashable, Sendable {
    /// The programs of a transport stream that have something to read, when first seen and when they change.
    ///
    /// - Parameters:
    ///   - carried: Their numbers.
    ///   - read: Those of them that are read.
    case programs(carried: [Int], read: [Int])
    /// A selected program has a track of timed ID3 metadata, with or without tags so far.
    case metadata(program: Int?)
    /// A program that is read has streams of type 0x86 which its map does not register as SCTE-35 (ANSI/SCTE 35 § 8.1),
    /// so that nothing is read of them; `pids` are theirs.
    case unregisteredSplices(program: Int, pids: [Int])
    /// A `splice_info_section` (SCTE-35) could not be read; `reason` says why.
    case unreadableSplice(reason: String)
    /// Text that cannot be read, and the reason.
    case textNotRead(TextService, TextObstacle)
    /// Pages of teletext are there but unreadable; reported once until they can be read.
    ///
    /// - Parameters:
    ///   - track: A track of their stream.
    ///   - pages: Their numbers, as viewers know them.
    case teletextUnreadable(track: InputTrackIndex, pages: [Int], TeletextFault)
    /// Text of pages came that were reported as unreadable, so many seconds after that began.
    case teletextReadable(track: InputTrackIndex, pages: [Int], seconds: Int)
    /// A track that was to be transcoded is not; `reason` says why.
    case notTranscoded(track: InputTrackIndex, reason: String)
    /// A frame of a track that is transcoded could not be decoded; silence takes its place.
    case undecodableFrame(track: InputTrackIndex)
    /// The content of a track, or of all without one, that was to be examined is not; `reason` says why.
    case notExamined(track: InputTrackIndex?, reason: String)
    /// A publisher of the feed was refused.
    ///
    /// Reported on any thread.
    ///
    /// - Parameters:
    ///   - peer: Its address and port.
    ///   - reason: The reason, without any key.
    case publisherRefused(peer: String, reason: String)
    /// The publisher on air was cut off, because what it sent cannot be read, or it does not read the answers.
    ///
    /// Reported on any thread, with the parameters of ``publisherRefused(peer:reason:)``.
    case publisherCutOff(peer: String, reason: String)
    /// More publishers without a key have connected than there are places, so that they displace each other.
    ///
    /// Reported on any thread.
    ///
    /// - Parameters:
    ///   - network: The address, or network of IPv6, that holds most places.
    ///   - held: The number of places that it holds.
    case publishersCrowded(network: String, held: Int)
    /// Datagrams were lost since the last notice of this kind.
    case datagramsLost(DatagramLosses)
    /// The datagrams come from another sender than before; each is an address and a port.
    case senderChanged(from: String, to: String)
    /// Two senders send to the port of the feed at once, so that it is neither's.
    case severalSenders(String, String)
    /// A library that reads the feed has something to say.
    case library(LibraryLine)
}
