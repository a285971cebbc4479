import Conformance
import Synchronization

/// A player's state at this moment, in a few words.
final class ViewerStatus: Sendable {
    private struct State {
        var doing = "starting"
        var stalls = 0
    }

    private let state = Mutex(State())

    func enter(_ event: ViewerEvent) {
        state.withLock { state in
            switch event.kind {
            case .started, .resumed: state.doing = "playing"
            case .stalled:
                state.doing = "stalled"
                state.stalls += 1
            case .ended: state.doing = "ended"
            default: break
            }
        }
    }

    var text: String {
        let state = state.withLock { $0 }
        return "\(state.doing) · \(state.stalls == 1 ? "1 stall" : "\(state.stalls) stalls")"
    }
}
