import HTTPServing
import NIOHTTP1
import Presentation

/// The fields with the health of a channel, 0 to 100, in each of its answers.
///
/// `X-Packager-Health` is the number. `CMSD-Dynamic` has it in the form of CTA-5006, with a key of this packager.
///
/// They are made once for each score and follow prepared heads, so that a new score does not change the heads.
enum HealthFields {
    private static let all = (0...100).map { score in
        PreparedAnswer.Head(["X-Packager-Health": "\(score)", "CMSD-Dynamic": "\"packager\";packager-health=\(score)"])
    }

    /// The fields of a channel now; nil until its health is measured.
    static func fields(of endpoint: EndpointHealth) -> PreparedAnswer.Head? {
        endpoint.score.map { all[min(max($0, 0), 100)] }
    }
}

extension Answer {
    /// Adds the health of a channel.
    consuming func stating(healthOf endpoint: EndpointHealth) -> Answer {
        if let health = HealthFields.fields(of: endpoint) { fields.add(contentsOf: health.fields) }
        return self
    }
}

extension Reply {
    /// Adds the health fields of a channel to the answer, as they are when it is made.
    consuming func stating(healthOf endpoint: EndpointHealth) -> Reply {
        switch consume self {
        case .answer(let answer): return .answer(answer.stating(healthOf: endpoint))
        case .work(let work): return .work { work().stating(healthOf: endpoint) }
        case .reading(let readers, let work): return .reading(on: readers) { work().stating(healthOf: endpoint) }
        case .pending(let work): return .pending { await work().stating(healthOf: endpoint) }
        case .asking(let work): return .asking { await work().stating(healthOf: endpoint) }
        case .waiting(let waiting):
            return .waiting(Waiting(begin: waiting.begin, reply: { waiting.reply().stating(healthOf: endpoint) }))
        }
    }
}
