import AdSources
import Foundation
import Logging
import MediaCore
import Operations
import Origin
import PackagerConfig

/// Sources of the advertisements that players play in the breaks of a channel.
extension ChannelAssembly {
    /// - Throws: ``SetupError`` if there is no directory to take advertisements from.
    func ads(for settings: ChannelConfiguration) throws(SetupError) -> OriginAds? {
        guard let location = settings.ads.source else { return nil }
        let timeout = Duration.milliseconds(settings.ads.timeout.milliseconds)
        var server: String?
        if case .server(let address) = location { server = address.text }
        let reach = AdReach(trusting: server, allowsPrivate: settings.ads.allowsPrivate)
        let fetcher = AdFetcher(timeout: timeout, reach: reach)
        let source: any AdSource
        var files: AdFiles?
        switch location {
        case .files(let path):
            let directory = AdDirectory(path)
            try check(directory, path, settings.name)
            source = directory
            files = AdFiles(path)
        case .command(let words): source = AdCommand(words, fetcher: fetcher, reach: reach)
        case .server(let address): source = AdServer(address, fetcher: fetcher, reach: reach)
        }
        let decisions = AdDecisions(source, timeout: timeout) { [clock, events, logger] adBreak, reason in
            let metadata: Logger.Metadata = [
                "channel": "\(adBreak.channel)", "break": "\(adBreak.id)", "reason": "\(reason)",
                "viewers": "they see the programme's own break",
                "do": "check the source in ads (\(location.kind))",
            ]
            logger.warning("no advertisements for a break", metadata: metadata)
            events.append(
                ChannelEvent(
                    time: clock.now,
                    channel: adBreak.channel,
                    kind: .splice,
                    severity: .warning,
                    message:
                        "There are no advertisements in the break \(adBreak.id): ads (\(location.kind)): \(reason)."
                )
            )
        }
        return OriginAds(decisions: decisions, files: files, baseURL: settings.ads.url.map { $0 + "/" })
    }

    private func check(_ directory: AdDirectory, _ path: String, _ channel: String) throws(SetupError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw SetupError("ads", of: channel, "\(URL(filePath: path).path) is not a directory")
        }
        let problems: [String]
        do {
            problems = try directory.contents().problems
        } catch {
            throw SetupError("ads", of: channel, "\(error)")
        }
        for problem in problems {
            logger.warning(
                "advertisement left out",
                metadata: [
                    "channel": "\(channel)", "problem": "\(problem)", "viewers": "they never see it",
                    "do": "correct what problem names; the directory is read anew for each break",
                ]
            )
        }
    }
}
