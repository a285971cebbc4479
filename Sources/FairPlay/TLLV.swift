package import NIOCore

/// A field of an SPC or a CKC: tag, block length, value length, value, and random padding to the block length.
package struct TLLV: Hashable, Sendable {
    package var tag: TLLVTag
    package var value: ByteBuffer

    init(_ tag: TLLVTag, _ value: ByteBuffer) {
        self.tag = tag
        self.value = value
    }

    private static let blockSize = 16

    /// The fields of a payload in the clear, in its order.
    ///
    /// - Throws: ``FairPlayError`` if one of them ends outside the payload, has another length than its tag permits
    ///   or comes twice.
    package static func list(in payload: ByteBuffer) throws(FairPlayError) -> [TLLV] {
        var rest = payload
        var list: [TLLV] = []
        var tags: Set<TLLVTag> = []
        while rest.readableBytes > 0 {
            guard let (rawTag, blockLength, valueLength) = rest.readMultipleIntegers(as: (UInt64, UInt32, UInt32).self)
            else { throw .truncatedField(bytes: rest.readableBytes) }
            let tag = TLLVTag(rawValue: rawTag)
            guard blockLength % UInt32(blockSize) == 0 else { throw .blockLength(tag, blockLength) }
            guard valueLength <= blockLength else {
                throw .valueBeyondBlock(tag, value: valueLength, block: blockLength)
            }
            guard let block = rest.readSlice(length: Int(blockLength)) else {
                throw .blockBeyondEnd(tag, block: blockLength, rest: rest.readableBytes)
            }
            guard tag.permits(Int(valueLength)) else { throw .valueLength(tag, valueLength) }
            guard tags.insert(tag).inserted else { throw .duplicateTag(tag) }
            list.append(TLLV(tag, block.getSlice(at: block.readerIndex, length: Int(valueLength)) ?? ByteBuffer()))
        }
        return list
    }

    /// Appends the field with 0 to 3 blocks of padding more than it needs, so that lengths tell nothing.
    func write(to payload: inout ByteBuffer) {
        let length = value.readableBytes
        let padding = (Self.blockSize - length % Self.blockSize) % Self.blockSize + .random(in: 0...3) * Self.blockSize
        payload.writeMultipleIntegers(tag.rawValue, UInt32(length + padding), UInt32(length))
        payload.writeImmutableBuffer(value)
        let end = payload.writerIndex + padding
        // Each random number is a system call, so eight bytes are taken at a time.
        while payload.writerIndex < end { payload.writeInteger(UInt64.random(in: 0 ... .max)) }
        payload.moveWriterIndex(to: end)
    }
}
