/// A reason why a store refuses a request.
package enum StoreProblem: Error, Hashable, Sendable {
    /// No answer, or none in time.
    case unreachable(String)
    /// The store is overloaded or out of order: 429, 500, 502, 503 and 504.
    case busy(status: Int, code: String?)
    /// The credentials may not do that: 401 and 403.
    case forbidden(status: Int, code: String?)
    /// The bucket or the folder does not exist: 404 and 409.
    case absent(status: Int, code: String?)
    /// The bucket is in another region, or the server sends to another URL.
    case elsewhere(status: Int, code: String?)
    /// The clocks of this machine and of the store differ; by so many seconds, if the store says its own.
    case clock(ahead: Int64?)
    /// There are no credentials.
    case credentials(String)
    /// The store refuses this object.
    case refused(status: Int, code: String?)
    /// The bytes cannot be read here.
    case unreadable(String)

    /// True if other objects may succeed.
    var isOfObject: Bool {
        switch self {
        case .refused, .unreadable: true
        case .unreachable, .busy, .forbidden, .absent, .elsewhere, .clock, .credentials: false
        }
    }

    /// True if it may be the object's: it is too long for the line, or for a server on the way.
    var mayBeOfObject: Bool {
        switch self {
        case .unreachable, .busy(status: 504, _): true
        default: false
        }
    }

    /// True if the store may have carried out the request nevertheless.
    var leavesDoubt: Bool {
        switch self {
        case .unreachable, .busy: true
        case .forbidden, .absent, .elsewhere, .clock, .credentials, .refused, .unreadable: false
        }
    }

    /// True if the access key may have expired, or may have been replaced.
    var doubtsCredentials: Bool {
        switch self {
        case .credentials, .forbidden: true
        case .unreachable, .busy, .absent, .elsewhere, .clock, .refused, .unreadable: false
        }
    }

    /// True if the operator has to act.
    var needsOperator: Bool {
        switch self {
        case .forbidden, .absent, .elsewhere, .clock, .credentials, .refused, .unreadable: true
        case .unreachable, .busy: false
        }
    }

    /// The kind of problem in one word, as metrics have it.
    package var word: String {
        switch self {
        case .unreachable: "unreachable"
        case .busy: "busy"
        case .forbidden: "forbidden"
        case .absent: "absent"
        case .elsewhere: "elsewhere"
        case .clock: "clock"
        case .credentials: "credentials"
        case .refused: "refused"
        case .unreadable: "unreadable"
        }
    }

    package static let words = [
        "absent", "busy", "clock", "credentials", "elsewhere", "forbidden", "refused", "unreachable", "unreadable",
    ]

    /// The advice for the operator, in one phrase.
    package var remedy: String {
        switch self {
        case .unreachable, .busy:
            "check that the store runs and can be reached; the packager sends everything once it answers again"
        case .forbidden: "allow these credentials to put and delete objects there"
        case .absent: "make the bucket or the folder, or correct push"
        case .elsewhere: "correct the region, the endpoint or the url of push"
        case .clock: "set the clock of this machine; let NTP keep it"
        case .credentials: "give credentials that can be read and have not expired"
        case .refused: "check if the store accepts objects of this size and kind"
        case .unreadable: "check the disk of the channel's state and of its recording"
        }
    }
}

extension StoreProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .busy(let status, let code): "it is overloaded or out of order (\(Self.text(status, code)))"
        case .forbidden(let status, let code): "the credentials may not write there (\(Self.text(status, code)))"
        case .absent(let status, let code): "there is no such bucket or folder (\(Self.text(status, code)))"
        case .elsewhere(let status, let code): "the bucket or the server is elsewhere (\(Self.text(status, code)))"
        case .clock(nil): "the clock of this machine differs too much from that of the store (RequestTimeTooSkewed)"
        case .clock(let ahead?):
            "the clock of this machine is \(abs(ahead)) s \(ahead < 0 ? "behind" : "ahead of") that of the store "
                + "(RequestTimeTooSkewed)"
        case .credentials(let reason): reason
        case .refused(let status, let code): "it refuses an object (\(Self.text(status, code)))"
        case .unreadable(let reason): "an object cannot be read: \(reason)"
        }
    }

    private static func text(_ status: Int, _ code: String?) -> String {
        code.map { "\(status) \($0)" } ?? "status \(status)"
    }
}
