package import ContentProtection
package import MediaCore
package import NIOCore
package import Presentation

/// Gives out the keys of one channel: those that listed or retained segments need, and the next period's.
package struct ChannelKeys: KeyService {
    private let directory: any KeyDirectory
    private let presentation: Presentation
    private let currentSlot: @Sendable () -> MediaSequenceNumber
    private let available = AvailableKeys()

    /// - Parameters:
    ///   - directory: Knows the keys.
    ///   - presentation: What needs them.
    ///   - currentSlot: The slot of this moment, for the time until something is published.
    package init(
        directory: any KeyDirectory,
        presentation: Presentation,
        currentSlot: @escaping @Sendable () -> MediaSequenceNumber
    ) {
        self.directory = directory
        self.presentation = presentation
        self.currentSlot = currentSlot
    }

    package func contentKey(_ keyID: KeyID) throws -> ContentKey? {
        try available.keys(for: presentation.slotsWithKeys, of: directory)[keyID]?.contentKey
    }

    package func schedule() throws -> ByteBuffer {
        let document = try KeyScheduleDocument(
            directory,
            at: presentation.slotsWithKeys.max() ?? currentSlot(),
            segmentDuration: presentation.configuration.segmentDuration,
            uri: { "keys/\($0)" }
        )
        return ByteBuffer(bytes: try document.json())
    }

    package func license(for request: ByteBuffer) throws -> ByteBuffer {
        let request = try ClearKeyLicense.Request(json: request.readableBytesView)
        let keys = try available.keys(for: presentation.slotsWithKeys, of: directory)
        return ByteBuffer(string: ClearKeyLicense.response(request.keyIDs.compactMap { keys[$0] }))
    }
}
