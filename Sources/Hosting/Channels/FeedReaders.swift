import Ingest
import MediaCore

/// Makes the readers of all channels' feeds.
///
/// Channels of several programs of one feed share its reader: a socket can be opened only once.
struct FeedReaders {
    /// A feed that a channel wants to read.
    struct Request {
        var location: String
        var options: InputReader.Options
        var program: Int?
        var consumer: any InputConsumer
        /// The open feed of another reader, to continue from.
        var open: OpenFeed?
        /// The reader of a connection that was held, to continue with.
        var held: InputReader?
    }

    private struct Shared: Hashable {
        var location: String
        var options: InputReader.Options

        init(_ request: Request) { (location, options) = (request.location, request.options.sharable) }
    }

    /// Makes a reader for each request, the same one for those that share a feed.
    ///
    /// - Parameter requests: Those of each channel.
    /// - Returns: The readers of each channel, in order.
    static func readers(for requests: [[Request]]) -> [[FeedReader]] {
        let byProgram = requests.joined().filter { $0.program != nil && $0.held == nil }
        let shared = Dictionary(grouping: byProgram, by: Shared.init).compactMapValues(sharedReader)
        return requests.map { requests in
            requests.map { request in
                if let held = request.held { return FeedReader(held: held, consumer: request.consumer) }
                if let program = request.program, let (reader, fanOut) = shared[Shared(request)] {
                    return FeedReader(reader, share: (fanOut, program))
                }
                var options = request.options
                if let program = request.program { options.programs = .numbers([program]) }
                return FeedReader(
                    InputReader(
                        url: request.location,
                        options: options,
                        open: request.open,
                        consumer: request.consumer
                    )
                )
            }
        }
    }

    /// Makes one reader for several programs; nil if nothing is to be shared: one program, or one program twice.
    private static func sharedReader(_ requests: [Request]) -> (InputReader, ProgramFanOut)? {
        let consumers = requests.compactMap { request in request.program.map { ($0, request.consumer) } }
        guard requests.count > 1, Set(consumers.map(\.0)).count == requests.count else { return nil }
        let fanOut = ProgramFanOut(consumers: Dictionary(uniqueKeysWithValues: consumers))
        var options = requests[0].options
        options.programs = fanOut.choice
        options.checks = requests.reduce(ContentChecks()) { $0.union($1.options.checks) }
        options.isPrompt = requests.contains { $0.options.isPrompt }
        let pids = requests.map(\.options.splicePIDs)
        // Beside named PIDs, the registered streams of a program map are read only with `automatic`.
        let isAutomatic = pids.contains(where: \.isEmpty) && !pids.allSatisfy(\.isEmpty)
        options.splicePIDs = Array(Set(pids.joined() + (isAutomatic ? [.automatic] : [])))
        let reader = InputReader(
            url: requests[0].location,
            options: options,
            open: requests.lazy.compactMap(\.open).first,
            consumer: fanOut
        )
        return (reader, fanOut)
    }
}

extension InputReader.Options {
    /// The options without those for one channel's information, which do not keep others from sharing its reader.
    var sharable: Self {
        var options = self
        (options.checks, options.splicePIDs, options.isPrompt) = (ContentChecks(), [], false)
        // The order of addresses does not matter.
        options.allowedPublishers = Set(options.allowedPublishers).sorted { $0.description < $1.description }
        return options
    }
}
