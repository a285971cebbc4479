import AdSources
import Dispatch
import Fetching
import Files
import Foundation
import MediaCore
import NIOCore

/// Reads documents of advertisements, up to the list that players get.
enum AdvertisementHarness {
    /// A fetcher that answers every address with the same document.
    private struct Echo: Fetcher {
        let document: [UInt8]

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            FetchedResource(url: url, body: ByteBuffer(bytes: document))
        }
    }

    private static let rooms = [MediaTime(seconds: 30), MediaTime(ticks: .max), nil]

    /// Reads a playlist as that of an advertisement beside one that is sound, and fills breaks with both.
    static func run(_ playlist: [UInt8]) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "advertisement-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let sound = Data("#EXTM3U\n#EXTINF:10,\n1.ts\n#EXT-X-ENDLIST\n".utf8)
        for (name, bytes) in [("a", Data(playlist)), ("b", sound)] {
            let advertisement = directory.appending(path: name)
            guard
                (try? FileManager.default.createDirectory(at: advertisement, withIntermediateDirectories: true)) != nil,
                (try? bytes.write(to: advertisement.appending(path: "index.m3u8"))) != nil
            else { fatalError("no directory") }
        }
        wait {
            for room in rooms {
                let adBreak = AdBreak(id: "7-ad", channel: "live", start: .zero, duration: room)
                guard let list = try? await AdDirectory(directory.path).assets(for: adBreak), (try? list.json()) != nil
                else { fatalError("no list") }
            }
        }
    }

    /// Reads VAST whose wrappers all lead to itself.
    static func readVAST(_ document: [UInt8]) {
        _ = try? VASTDocument(parsing: document)
        wait {
            let reader = VASTReader(fetcher: Echo(document: document), reach: AdReach())
            guard let list = try? await reader.assets(in: document) else { return }
            guard (try? list.json()) != nil, list.assets.count <= 100 else { fatalError("no list") }
        }
    }

    private static func wait(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            done.signal()
        }
        done.wait()
    }
}
