import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Recording

/// Answers the other member of a pair from the recording, so that it can fill the holes of its own recording.
extension OriginResponder {
    func recordedSlots(_ request: Request, _ channel: OriginChannel) -> Reply {
        guard let past = channel.past else { return .answer(notFound) }
        guard let question = RecordedQuestion(query: request.target.query) else {
            return .answer(Rejection(.badRequest, "malformed question: give first and count of slots").answer())
        }
        guard let place = peerQuestions.enter(asker(request, channel)) else { return .answer(tooManyQuestions) }
        return .reading(on: share.readers) { [self] in
            defer { withExtendedLifetime(place) {} }
            let byteCount = RecordedQuestion.usualByteCount
            guard let room = share.texts.room(for: byteCount, of: request.network) else { return busy }
            do {
                let json = try past.recording.recordedSlots(in: question.numbers).json()
                let answer = document(json)
                return request.method == .HEAD ? answer : share.texts.admit(answer, in: room) ?? busy
            } catch {
                return unreadableRecording
            }
        }
    }

    func recordedMedia(_ request: Request, _ path: Substring, _ channel: OriginChannel) -> Reply {
        // A client without the secret may be a viewer who is kept behind, or needs a pass.
        guard case .holders = channel.peerAccess, let past = channel.past else { return .answer(notFound) }
        return .reading(on: share.readers) { [self] in
            do {
                guard let body = try past.recording.body(String(path)) else { return notFound }
                let resource = Resource(recorded: body, at: path)
                return try ResourceAnswer.answer(
                    to: request,
                    with: resource,
                    cacheControl: "no-store",
                    by: share.readers
                )
            } catch {
                return unreadableRecording
            }
        }
    }

    /// Distinguishes the peer from strangers, who are admitted as well if the pair has no secret.
    private func asker(_ request: Request, _ channel: OriginChannel) -> PeerQuestions.Asker {
        if case .holders = channel.peerAccess { return .peer }
        let address = request.clientAddress
        return channel.isPeer(address) ? .peer : .stranger(network: AddressRange.network(of: address))
    }

    private var tooManyQuestions: Answer {
        Rejection(.serviceUnavailable, "too many questions at once").answer(["Retry-After": "1"])
    }

    /// The answer while the recording cannot be read.
    var unreadableRecording: Answer {
        Rejection(.serviceUnavailable, PastRefusal.unreadable.description).answer()
    }
}
