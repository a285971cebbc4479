/// One of a channel's inputs.
enum InputName: Hashable, Sendable {
    case input(Int)
    case backup(Int)
}
