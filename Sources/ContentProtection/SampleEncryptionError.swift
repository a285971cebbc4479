/// The reason why a sample was left in the clear, or cannot be used.
package enum SampleEncryptionError: Error, Hashable {
    /// The sample is not within the buffer's readable bytes; nothing was changed.
    case outsideBuffer(index: Int, length: Int)
    /// The subsamples do not add up to the sample's length; nothing was changed.
    case subsamplesMismatch(covered: Int, length: Int)
    /// The sample is not what SAMPLE-AES encrypts there, or cut short; nothing was changed or written.
    case malformed(Framing)
    /// OpenSSL failed; the sample is neither clear nor encrypted.
    case cipher(OpenSSLError)

    /// The form in which a sample was read.
    package enum Framing: Hashable, Sendable {
        /// NAL units behind four-byte lengths, none of them empty.
        case nalUnits
        /// One AC-3 syncframe, or the syncframes of an E-AC-3 access unit.
        case syncframes
    }
}
