import Archive
import Control
import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists

/// Bodies that are posted to the control API: what is taken can be kept, told to a peer and said in a playlist.
enum CommandHarness {
    private static let now = MediaTime(seconds: 1_795_000_000)

    static func read(_ json: ByteBuffer) {
        for kind in PostedKind.allCases {
            guard let contents = try? kind.contents(json: json, now: now) else { continue }
            for content in contents { check(content) }
        }
    }

    private static func check(_ content: ScheduleAction.Content) {
        let action = ScheduleAction(content, accepted: now, effective: now)
        guard let json = try? ScheduleDocument(actions: [action]).json(),
            (try? ScheduleDocument(json: json))?.actions == [action]
        else { fatalError("what was taken is not kept") }
        _ = action.isOver(at: now)
        guard case .dateRange(let range, _) = content else { return }
        if range.text.contains("{$") || range.text.contains("\n") || DateRange(text: range.text) != range {
            fatalError("a playlist cannot say it")
        }
    }
}
