package import FairPlay
package import MediaCore

/// What a device reads in a CKC.
package struct TestLicense: Sendable {
    package var version: UInt32
    package var contentKey: Bytes16
    package var iv: Bytes16
    package var values: [TLLVTag: [UInt8]]
}
