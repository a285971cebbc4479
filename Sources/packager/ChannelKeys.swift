import Channels
import ContentProtection
import MediaCore
import NIOCore
import Origin
import Presentation
import Timeline

/// Gives out the keys of one channel: those that listed or retained segments need, and the next period's.
struct ChannelKeys: KeyService {
    let keySchedule: KeySchedule
    let presentation: Presentation
    let grid: SegmentGrid
    let clock: any UTCClock
    private let available = AvailableKeys()

    init(keySchedule: KeySchedule, presentation: Presentation, grid: SegmentGrid, clock: any UTCClock) {
        self.keySchedule = keySchedule
        self.presentation = presentation
        self.grid = grid
        self.clock = clock
    }

    func contentKey(_ keyID: KeyID) throws -> ContentKey? {
        try available.keys(for: presentation.slotsWithKeys, of: keySchedule)[keyID]?.contentKey
    }

    func schedule() throws -> ByteBuffer {
        let document = try KeyScheduleDocument(
            keySchedule,
            at: presentation.slotsWithKeys.max() ?? grid.slot(at: clock.now),
            segmentDuration: grid.slotDuration,
            uri: { "keys/\($0)" }
        )
        return ByteBuffer(bytes: try document.json())
    }

    func license(for request: ByteBuffer) throws -> ByteBuffer {
        let request = try ClearKeyLicense.Request(json: request.readableBytesView)
        let keys = try available.keys(for: presentation.slotsWithKeys, of: keySchedule)
        return ByteBuffer(string: ClearKeyLicense.response(request.keyIDs.compactMap { keys[$0] }))
    }
}
