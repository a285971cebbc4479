import Logging
import MediaCore
import Operations
import Timeline

/// Notices of inputs.
extension ChannelEngine {
    /// Reports something about an input that its operator may want to change.
    mutating func noticed(_ notice: InputNotice, of input: InputID) {
        switch notice {
        case .programs(let carried, let read): reportPrograms(carried, read: read, of: input)
        case .metadata: inputs.positionsWithTags.insert(input.position)
        case .notTranscoded(let track, let reason):
            reportOnce("track \(track) is not transcoded: \(reason)", .notTranscoded, feed(input))
        case .notExamined(let track, let reason):
            let what = track.map { "track \($0)" } ?? "it"
            reportOnce("\(what) is not watched for frozen pictures or silence: \(reason)", .notExamined, feed(input))
        case .textNotRead(let service, let obstacle):
            reportOnce("\(service) is not read: \(obstacle.reason)", .textNotRead, feed(input))
        case .teletextUnreadable(_, let pages, let fault): reportUnreadableTeletext(pages, fault, of: input)
        case .teletextReadable(_, let pages, let seconds): reportReadableTeletext(pages, after: seconds, of: input)
        case .unregisteredSplices(_, let pids): reportUnregisteredSplices(pids, of: input)
        case .unreadableSplice(let reason):
            watches.repairs.record(RepairLog.unreadableSplice, of: input, because: reason)
        case .publisherRefused(let peer, let reason): reportRefusedPublisher(of: peer, reason, by: input)
        case .publisherCutOff(let peer, let reason): reportPublisherCutOff(at: peer, reason, by: input)
        case .publishersCrowded(let network, let held): reportCrowdedPublishers(of: held, from: network, of: input)
        case .undecodableFrame: watches.repairs.record(RepairLog.undecodableAudio, of: input)
        case .datagramsLost(let losses): report(losses, of: input)
        case .senderChanged(let before, let sender): reportSenderChange(sender, after: before, of: input)
        case .severalSenders(let one, let other):
            report(
                "\(one) and \(other) both send to its port, and their packets are mixed: viewers see a broken picture; stop one of "
                    + "them, or name the encoder in allowed-publishers",
                .severalSenders,
                input: input
            )
        case .library(let line): report(line, of: feed(input))
        }
    }

    private mutating func reportPrograms(_ carried: [Int], read: [Int], of input: InputID) {
        guard inputs[feed(input)].programChanges.admits(at: now) else { return }
        let numbers = carried.map(String.init).joined(separator: ", ")
        if let program = configuration.program, read.isEmpty {
            report("it has no program \(program); it has \(numbers)", .noProgram, input: input)
        } else if carried.count > 1, configuration.program == nil {
            let chosen = read.first.map { "\($0) is read" } ?? "none is read yet"
            let problem = "it has more than one program (\(numbers)): \(chosen); set program to choose"
            report(problem, .severalPrograms, input: input)
        }
    }

    private mutating func reportUnregisteredSplices(_ pids: [Int], of input: InputID) {
        // Once: the list may be another one in each program map.
        guard configuration.spliceMarkers != .none, inputs[feed(input)].mustSay("unregistered splices") else { return }
        let numbers = pids.map(String.init).joined(separator: ", ")
        report(
            "PID \(numbers) is not read: its stream type 0x86 means SCTE-35, but the program map does not register it (CUEI); "
                + "if it is SCTE-35, set scte35-pid: [auto]",
            .unregisteredSplices,
            input: input
        )
    }

    /// Reports a publisher that was not let in.
    private mutating func reportRefusedPublisher(of peer: String, _ reason: String, by input: InputID) {
        let metadata: Logger.Metadata = [
            "peer": "\(peer)", "reason": "\(reason)", "viewers": "they get nothing from this publisher",
            "do":
                "if it is your encoder, give it the key, passphrase and address of this input; else block it in the firewall",
        ]
        log(.warning, "publisher refused", input, metadata)
        note(.publisherRefused, "A publisher at \(peer) was refused: \(reason).", input: input)
    }

    /// Reports a publisher on air whose connection was closed.
    private mutating func reportPublisherCutOff(at peer: String, _ reason: String, by input: InputID) {
        let metadata: Logger.Metadata = [
            "peer": "\(peer)", "reason": "\(reason)",
            "viewers": "they get a backup, or a gap, until the encoder connects again",
            "do": "restart the output of the encoder if it does not connect again by itself",
        ]
        log(.warning, "publisher disconnected", input, metadata)
        note(.inputProblem, "The connection of the publisher at \(peer) was closed: \(reason).", input: input)
    }

    private mutating func report(_ losses: DatagramLosses, of input: InputID) {
        inputs[feed(input)].health.datagramsLost(losses)
        if losses.count == 0 { return }
        var (places, remedies): ([String], [String]) = ([], [])
        if losses.network > 0 {
            places.append("\(losses.network) on the network")
            remedies.append("check the network between encoder and packager")
        }
        if losses.socket > 0 {
            places.append("\(losses.socket) in the socket")
            remedies.append("raise net.core.rmem_max of this machine, and buffer_size in the URL of the feed")
        }
        if losses.reader > 0 {
            places.append("\(losses.reader) in the packager's queue")
            remedies.append("reduce the load of this machine, or raise fifo_size in the URL of the feed")
        }
        let metadata: Logger.Metadata = [
            "count": .number(losses.count), "where": "\(places.joined(separator: ", "))",
            "viewers": "the picture may be damaged until the next key frame",
            "do": "\(remedies.joined(separator: "; "))",
        ]
        log(.warning, "datagrams were lost", input, metadata)
    }

    private mutating func reportSenderChange(_ sender: String, after before: String, of input: InputID) {
        let metadata: Logger.Metadata = [
            "from": "\(before)", "to": "\(sender)", "viewers": "they get the new sender's programme",
            "do": "nothing if this is your encoder; else list your encoder in allowed-publishers",
        ]
        log(.warning, "the feed comes from another sender", input, metadata)
        note(.inputProblem, "The feed comes from \(sender) now; before, it came from \(before).", input: input)
    }

    /// Reports connections without a key that fill the listener.
    private mutating func reportCrowdedPublishers(of held: Int, from network: String, of input: InputID) {
        let metadata: Logger.Metadata = [
            "peer": "\(network)", "connections": .number(held),
            "viewers": "they lose nothing: encoders can still connect",
            "do": "block that network in the firewall, or list your encoders in allowed-publishers",
        ]
        log(.warning, "many connections without a stream key from one network", input, metadata)
        note(
            .publisherRefused,
            "\(network) holds \(held) connections without a key; new ones displace them, and encoders can still connect.",
            input: input
        )
    }
}
