import MediaCore
import Publishing

/// Decides which streams may be published at one socket, and by whom.
struct PublisherAdmission {
    /// A stream that is waited for.
    struct Place {
        var path: String
        /// Addresses that it may come from; empty for any.
        var allowed: [AddressRange]
        /// The connection that publishes it.
        var publisher: Int?
    }

    enum Verdict: Equatable {
        case accepted(place: Int)
        case refused(PublishRefusal, reason: String)
    }

    /// The places, by number.
    private(set) var places: [Int: Place] = [:]
    private var last = 0

    /// - Returns: A number for the place; nil if the same is waited for already.
    mutating func add(_ path: String, allowed: [AddressRange]) -> Int? {
        guard !places.values.contains(where: { $0.path == path }) else { return nil }
        last += 1
        places[last] = Place(path: path, allowed: allowed)
        return last
    }

    mutating func remove(_ place: Int) { places[place] = nil }

    /// Returns true if anybody at an address may publish anything.
    func isWelcome(_ address: String) -> Bool { places.values.contains { $0.allows(address) } }

    /// Decides on a request to publish.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - address: The address that it comes from.
    ///   - connection: Its number.
    /// - Returns: The place that takes it, or the refusal with its reason.
    mutating func verdict(on request: PublishRequest, from address: String, connection: Int) -> Verdict {
        var match: Int?
        // All keys are compared in full, so that the time reveals nothing about a key.
        for (number, place) in places where place.path.isSame(as: request.path) { match = number }
        guard let match, let place = places[match] else {
            return .refused(.unknownStream, reason: Self.wrongKey)
        }
        // A client at an address that is not allowed must not learn that the stream exists.
        guard place.allows(address) else { return .refused(.unknownStream, reason: Self.wrongAddress) }
        guard place.publisher == nil else { return .refused(.onAir, reason: "another encoder is publishing") }
        places[match]?.publisher = connection
        return .accepted(place: match)
    }

    /// Seats a connection that has published elsewhere, at a place that no other was offered.
    ///
    /// - Returns: True if its address may publish there.
    mutating func continues(_ connection: Int, from address: String, at place: Int) -> Bool {
        guard let offered = places[place], offered.publisher == nil, offered.allows(address) else { return false }
        places[place]?.publisher = connection
        return true
    }

    /// Returns the place where a connection publishes; nil if there is none.
    func place(of connection: Int) -> Int? { places.first { $0.value.publisher == connection }?.key }

    /// Names the stream that a connection publishes; nil if there is none.
    func path(of connection: Int) -> String? { place(of: connection).flatMap { places[$0]?.path } }

    /// Notes that a connection has ended.
    mutating func left(_ connection: Int) {
        for (number, place) in places where place.publisher == connection { places[number]?.publisher = nil }
    }

    static let wrongKey = "the application or the stream key is wrong"
    static let wrongAddress = "its address is not in allowed-publishers"
}

extension PublisherAdmission.Place {
    fileprivate func allows(_ address: String) -> Bool {
        allowed.isEmpty || allowed.contains { $0.contains(address) }
    }
}
