/// An encoder's request to publish a stream.
package struct PublishRequest: Hashable, Sendable {
    /// The application and the stream's name, as the path of a URL has them: `live/key`.
    ///
    /// Encoders divide a URL's path between the two in different places, so that they are only known together.
    package var path: String

    /// - Parameters:
    ///   - application: The application of `connect`.
    ///   - name: The name of `publish`: a stream key, and parameters behind a question mark.
    init(application: String, name: String) {
        path = Self.normalized(application + "/" + name)
    }

    /// The path without slashes at its ends, or several in a row.
    package static func normalized(_ path: String) -> String {
        path.split(separator: "/").joined(separator: "/")
    }
}

/// The reason why a client may not publish; its text reveals no more to strangers than necessary.
package enum PublishRefusal: String, Hashable, Sendable {
    /// No input has this application and stream key.
    case unknownStream = "no such stream"
    /// Another encoder publishes the stream.
    case onAir = "the stream is being published"
}
