package import FairPlay
package import MediaCore

/// The contents of a CKC, as a device reads them.
package struct TestLicense: Sendable {
    package var version: UInt32
    package var contentKey: Bytes16
    package var iv: Bytes16
    package var values: [TLLVTag: [UInt8]]
}
