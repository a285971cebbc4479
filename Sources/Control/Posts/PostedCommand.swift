import MediaCore
import NIOCore
import Operations

/// A posted command that puts something on air, alone or with others of its kind.
protocol PostedCommand {
    /// The key of a list of them, in requests and answers.
    static var plural: String { get }

    /// - Parameter fields: The fields, which collect the problems; with any, the result is not used.
    init?(_ fields: inout CommandFields)

    var content: ScheduleAction.Content { get }

    /// Returns the answer for an outcome.
    func answer(_ outcome: ScheduleOutcome) -> ScheduleAnswer
}

extension PostedCommand {
    /// Reads `{…}`, or several as `{PLURAL: [{…}, …]}`.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - now: The time of "now".
    /// - Returns: In order.
    /// - Throws: ``MalformedRequest`` with all problems.
    static func posted(json: ByteBuffer, now: MediaTime) throws(MalformedRequest) -> [Self] {
        var fields = try CommandFields(json: json, now: now)
        var posted: [Self] = []
        if fields.has(plural) {
            posted = fields.takeList(plural, of: Self.init)
            fields.refuseOthers(known: plural)
        } else if let command = Self(&fields) {
            posted = [command]
        }
        try fields.check()
        return posted
    }
}
