import Foundation
import Subprocess
import Synchronization

/// The machines of a drill: network namespaces of Linux, each with a cable to one switch, which is a bridge here.
///
/// A machine that is killed answers nothing any more, and refuses nothing: its cable is dead. Its packagers are killed
/// by the drill.
final class Machines: Sendable {
    /// The number of machines.
    let count: Int
    /// Four hexadecimal digits, so that drills beside each other have machines of their own.
    private let tag: String
    /// The third byte of all addresses.
    private let network: UInt8
    /// The machines that are cut off from the network.
    private let dead = Mutex<Set<Int>>([])

    /// Makes machines.
    ///
    /// - Parameter count: The number of machines.
    /// - Throws: ``DrillError/impossibleHere(_:)`` where this user cannot make them.
    init(_ count: Int) async throws(DrillError) {
        self.count = count
        let seed = UInt16.random(in: .min ... .max)
        tag = String(format: "%04x", Int(seed))
        network = UInt8(truncatingIfNeeded: seed)
        do throws(DrillError) {
            try await Self.run(["link", "add", bridge, "type", "bridge"])
            try await Self.run(["addr", "add", "\(address(ofHost: 254))/24", "dev", bridge])
            try await Self.run(["link", "set", bridge, "up"])
            for number in 1...count { try await make(number) }
        } catch {
            await remove()
            throw .impossibleHere("machines are network namespaces, which root makes: \(error)")
        }
    }

    private func make(_ number: Int) async throws(DrillError) {
        let name = name(number)
        try await Self.run(["netns", "add", name])
        try await Self.run(["link", "add", cable(number), "type", "veth", "peer", "name", "eth0", "netns", name])
        try await Self.run(["link", "set", cable(number), "master", bridge, "up"])
        try await Self.run(["-n", name, "addr", "add", "\(address(number))/24", "dev", "eth0"])
        try await Self.run(["-n", name, "link", "set", "eth0", "up"])
        try await Self.run(["-n", name, "link", "set", "lo", "up"])
    }

    /// Takes all of them away; nothing runs on them any more.
    func remove() async {
        // Also after the drill was cancelled: nothing else would do it.
        await Task { [self] in
            for number in 1...count { try? await Self.run(["netns", "delete", name(number)]) }
            try? await Self.run(["link", "delete", bridge])
        }.value
    }

    /// Returns the command that runs another one on a machine.
    func command(_ number: Int) -> [String] { ["ip", "netns", "exec", name(number)] }

    /// Returns the address of a machine.
    ///
    /// - Parameter number: From 1 on.
    /// - Returns: An address of those that are for tests between machines (RFC 2544 § C.2.2).
    func address(_ number: Int) -> String { address(ofHost: number) }

    private func address(ofHost host: Int) -> String { "198.18.\(network).\(host)" }

    /// Cuts a machine off the network.
    ///
    /// - Throws: ``DrillError`` if that fails; a machine that is off stays off.
    func cut(_ number: Int) async throws(DrillError) {
        guard dead.withLock({ $0.insert(number).inserted }) else { return }
        try await Self.run(["link", "set", cable(number), "down"])
    }

    /// Connects a machine again.
    ///
    /// - Throws: ``DrillError`` if that fails; a connected machine stays so.
    func connect(_ number: Int) async throws(DrillError) {
        guard dead.withLock({ $0.remove(number) != nil }) else { return }
        try await Self.run(["link", "set", cable(number), "up"])
    }

    private var bridge: String { "drill-\(tag)" }

    private func name(_ number: Int) -> String { "drill-\(tag)-\(number)" }

    /// A name of an interface has 15 characters at most.
    private func cable(_ number: Int) -> String { "drill-\(tag)-\(number)" }

    private static func run(_ arguments: [String]) async throws(DrillError) {
        let line = PackagerLaunch.line(["ip"] + arguments)
        do {
            let result = try await Subprocess.run(
                .name("ip"),
                arguments: Arguments(arguments),
                output: .discarded,
                error: .string(limit: 4096)
            )
            guard !result.terminationStatus.isSuccess else { return }
            let reason = result.standardError.split(separator: "\n").last ?? ""
            throw DrillError.failed("'\(line)' does not work here: \(reason)")
        } catch let error as DrillError {
            throw error
        } catch {
            throw .failed("'\(line)' cannot be run here: \(error)")
        }
    }
}
