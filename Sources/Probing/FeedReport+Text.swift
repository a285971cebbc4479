import MediaCore

extension FeedReport: CustomStringConvertible {
    /// The report for a terminal.
    package var description: String {
        var lines = ["\(feed): \(Self.text(seconds)) s were read"]
        if let programs {
            let read = programs.read.map(String.init).joined(separator: ", ")
            lines.append("programs: \(programs.carried.map(String.init).joined(separator: ", ")); read: \(read)")
        }
        for track in tracks { lines += track.lines }
        lines += signalLines
        lines.append(timing.line)
        lines += publication.lines
        lines += advice.map { item in
            [item.isFault ? "! \(item.text)" : "+ \(item.text)", item.setting.map { "    \($0)" }]
                .compactMap(\.self).joined(separator: "\n")
        }
        lines.append(verdict)
        return lines.joined(separator: "\n")
    }

    private var signalLines: [String] {
        var lines: [String] = []
        if let splices {
            let pids = splices.unregisteredPIDs.map(String.init).joined(separator: ", ")
            let unread = splices.unreadable > 0 ? ", \(splices.unreadable) of them unreadable" : ""
            lines.append(
                "SCTE-35: \(splices.sections) sections\(unread)\(pids.isEmpty ? "" : "; not registered: PID \(pids)")"
            )
        }
        if let timedMetadata { lines.append("timed ID3: \(timedMetadata) tags") }
        return lines
    }
}

extension FeedReport.Track {
    /// The lines of a track: one for its kind and format, and two more for the coding and timing of its pictures.
    fileprivate var lines: [String] {
        var facts = ["\(kind) \(index): \(codec)"]
        if let codecs { facts.append(codecs) }
        if let transcodedFrom { facts.append("encoded here from track \(transcodedFrom)") }
        if let picture {
            let rate = picture.frameRate.map { " at \(FeedReport.text($0)) a second" } ?? ""
            facts.append("\(picture.width)x\(picture.height)\(rate)")
        }
        if let sound {
            facts.append("\(sound.sampleRate) Hz, \(sound.channels == 1 ? "1 channel" : "\(sound.channels) channels")")
            if sound.isDescription { facts.append("describes the pictures") }
        }
        if let service { facts.append(service) }
        if let language { facts.append(language) }
        if let rates { facts.append("\(Self.text(rates.mean)), at most \(Self.text(rates.peak))") }
        facts.append(rendition.map { "becomes \($0)" } ?? "left out")
        return [facts.joined(separator: ", ")] + (picture.map { ["    " + $0.coding, "    " + $0.line] } ?? [])
    }

    private static func text(_ rate: Int) -> String {
        rate >= 1_000_000 ? "\((Double(rate) / 1e6).rounded(to: 2)) Mbit/s" : "\((rate + 500) / 1000) kbit/s"
    }
}

extension FeedReport.Track.Picture {
    fileprivate var coding: String {
        let name = [profile, level.map { "level \($0)" }].compactMap(\.self).joined(separator: " ")
        let facts = [name, scan, "SAR \(sampleAspectRatio)", "\(bitDepth) bits"]
        return facts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    fileprivate var line: String {
        var facts: [String] = []
        if groups.refreshesGradually { facts.append("refreshed bit by bit") }
        if let mean = groups.mean, let shortest = groups.shortest, let longest = groups.longest {
            let pictures = groups.pictures.map { " (\($0) pictures)" } ?? ""
            facts.append(
                groups.isRegular
                    ? "a key frame every \(FeedReport.text(mean)) s\(pictures)"
                    : "key frames \(FeedReport.text(shortest)) to \(FeedReport.text(longest)) s apart"
            )
        } else {
            facts.append("fewer than two key frames")
        }
        if groups.isOpen || groups.count > 0 { facts.append(groups.isOpen ? "open groups" : "closed groups") }
        facts.append(bPictures == 0 ? "no B pictures" : "up to \(bPictures) B pictures in a row")
        facts.append(captions.isEmpty ? "no captions" : "captions \(captions.joined(separator: " "))")
        if let timecode { facts.append("timecode \(timecode)") }
        return facts.joined(separator: ", ")
    }
}

extension FeedReport.Timing {
    fileprivate var line: String {
        let counts = [
            (damagedPackets, "damaged packet", "s"), (unreadablePackets, "unreadable packet", "s"),
            (discontinuities, "leap", "s of timestamps"), (missingTimestamps, "packet", "s without a timestamp"),
            (losses, "loss", "es"), (datagramsLost?.count ?? 0, "datagram", "s lost"),
            (senders?.count ?? 0, "sender", "s"),
        ]
        var facts = counts.filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? String($0.2.drop { $0 == "e" || $0 == "s" }) : $0.2)" }
        if let jitter { facts.append("jitter \(Int(jitter * 1000)) ms") }
        if let driftPPM { facts.append("its clock is \(Int(abs(driftPPM))) ppm \(driftPPM > 0 ? "fast" : "slow")") }
        return "timing: \(facts.isEmpty ? "no damage, no leap, no loss" : facts.joined(separator: ", "))"
    }
}

extension FeedReport.Publication {
    fileprivate var lines: [String] {
        guard isPossible else { return [] }
        return [
            "with the defaults: segments of \(FeedReport.text(segmentDuration)) s, target duration \(targetDuration) s, players about "
                + "\(latency) s behind"
        ]
    }
}
