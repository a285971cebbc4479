/// Why a sample was left in the clear, or cannot be used.
package enum SampleEncryptionError: Error, Hashable {
    /// The sample is not within the buffer's readable bytes; nothing was changed.
    case outsideBuffer(index: Int, length: Int)
    /// The subsamples do not add up to the sample's length; nothing was changed.
    case subsamplesMismatch(covered: Int, length: Int)
    /// OpenSSL failed; the sample is neither clear nor encrypted.
    case cipher(OpenSSLError)
}
