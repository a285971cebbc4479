import Foundation
import Glibc
import MediaCore
import NIOCore
import NIOPosix
package import PackagerConfig

/// Checks the rights of a service's user: to listen at its addresses, and to write to its directories.
package struct ServiceCheck {
    private let configuration: PackagerConfig.Configuration
    private let overlay: String?
    /// Returns the reason why an address cannot be listened at; nil if it can.
    private let obstacle: (ListenAddress) -> String?

    /// - Parameters:
    ///   - configuration: The configuration of the service.
    ///   - overlay: The file of changes by the control API; nil if there is none.
    package init(_ configuration: PackagerConfig.Configuration, overlay: String?) {
        self.init(configuration, overlay: overlay, obstacle: Self.obstacle)
    }

    init(
        _ configuration: PackagerConfig.Configuration,
        overlay: String?,
        obstacle: @escaping (ListenAddress) -> String?
    ) {
        (self.configuration, self.overlay, self.obstacle) = (configuration, overlay, obstacle)
    }

    package var problems: [SetupProblem] { listeners + directories }

    private var listeners: [SetupProblem] {
        let addresses: [(String, ListenAddress?)] = [
            ("listen", configuration.listen), ("control", configuration.control),
            ("keys-listen", configuration.keysListen),
        ]
        return addresses.compactMap { setting, address in
            guard let address, let reason = obstacle(address) else { return nil }
            return SetupProblem(setting, "this user cannot listen on \(address): \(reason)")
        }
    }

    private static func obstacle(to address: ListenAddress) -> String? {
        do {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            try bootstrap.bind(host: address.host, port: address.port).wait().close().wait()
            return nil
        } catch let error as IOError {
            return String(cString: strerror(error.errnoCode))
        } catch {
            return "\(error)"
        }
    }

    private var directories: [SetupProblem] {
        var problems = configuration.channels.flatMap { channel in
            let places = [
                ("state", channel.state), ("record", channel.recording.directory), ("output", channel.output),
                ("output-keys", channel.outputKeys),
            ]
            return places.compactMap { setting, path in
                path.flatMap(Self.obstacle).map { SetupProblem(setting, of: channel.name, $0) }
            }
        }
        if let overlay, let reason = Self.obstacle((overlay as NSString).deletingLastPathComponent) {
            problems.append(SetupProblem("the control API cannot change channels: \(reason)"))
        }
        return problems
    }

    /// Returns the reason why no file can be made in a directory, or in the existing one above it; nil if one can.
    private static func obstacle(_ path: String) -> String? {
        let check = DirectoryCheck(path.isEmpty ? "." : path)
        if let obstacle = check.obstacle { return obstacle }
        var name = Array("\(check.place)/.packager-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            return "\(path): nothing can be written to \(check.place): \(String(cString: strerror(errno)))"
        }
        close(descriptor)
        unlink(name)
        return nil
    }
}
