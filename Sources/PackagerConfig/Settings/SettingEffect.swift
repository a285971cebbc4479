/// The reach of a setting beyond the packager that it is given to.
package enum SettingEffect: Hashable, Sendable {
    /// Published bytes, numbers or names: a change begins a new window, and the members of a pair must agree.
    case stream
    /// The stream that the members of a pair publish: they must agree, but a packager may continue with a window that it
    /// has begun.
    case pair
    /// The description of the stream, the length that is kept, or the treatment of a loss. The members of a pair may
    /// differ for a while, and get a new value one after the other. The difference is recorded.
    case rolling
    case nothing
}
