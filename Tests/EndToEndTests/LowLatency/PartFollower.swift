import Foundation
import Synchronization
import TestSupport

/// A viewer of one rendition who asks for each part before that is there, whether the packager lives or not.
final class PartFollower: Sendable {
    let rendition: String
    private let packager: MortalPackager
    private let state = Mutex(PartMemory())

    init(_ packager: MortalPackager, _ rendition: String) {
        self.packager = packager
        self.rendition = rendition
    }

    var memory: PartMemory { state.withLock { $0 } }

    /// Asks until its task is cancelled.
    func run() async {
        var life = 0
        while !Task.isCancelled {
            if life != packager.life {
                life = packager.life
                state.withLock { $0.begin() }
            }
            if await look(in: life) { continue }
            // Nobody tells when there is a packager again.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for the next part, and fetches all that was not fetched in this life.
    ///
    /// - Returns: False if there is no answer.
    private func look(in life: Int) async -> Bool {
        let next = state.withLock { $0.next }
        let query = next.map { "?_HLS_msn=\($0.segment)&_HLS_part=\($0.part)" } ?? ""
        guard let text = await fetch("\(rendition).m3u8\(query)", in: life, isDue: next != nil) else { return false }
        packager.noteServed(in: life)
        let due = state.withLock { memory in
            memory.playlistLoaded(String(decoding: text, as: UTF8.self), asked: next)
            return memory.due
        }
        for resource in due {
            guard let body = await fetch(resource.uri, in: life, isDue: true) else { return false }
            state.withLock { $0.loaded(resource, body) }
        }
        return true
    }

    /// Fetches a path, or returns nil; a refusal is noted if the packager is alive and must have it (`isDue`).
    private func fetch(_ path: String, in life: Int, isDue: Bool) async -> Data? {
        guard let answer = try? await HTTP.get(packager.url + path) else { return nil }
        if answer.status == 200 { return answer.body }
        // While its feed is not back, it has nothing new to tell.
        if isDue, answer.status != 503, !Task.isCancelled, life == packager.life {
            state.withLock { $0.missed(path, answer.status, in: life) }
        }
        return nil
    }
}
