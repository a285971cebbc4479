import Foundation
import TestSupport

extension Edge {
    /// Starts Traffic Server with the files of `Config/edge/trafficserver`, in directories of its own.
    ///
    /// - Parameters:
    ///   - address: Where it listens.
    ///   - members: The host and the port of each packager.
    ///   - directory: The directory for all that it writes.
    /// - Returns: The program, which need not answer yet.
    /// - Throws: If it is not installed.
    static func trafficServer(
        at address: String,
        _ members: [[Substring]],
        in directory: TemporaryDirectory
    ) throws -> Program {
        for name in ["etc", "cache", "log", "run"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        for name in ["records.config", "remap.config", "parent.config", "storage.config", "packager.lua"] {
            var text = try configuration("trafficserver/\(name)")
                .replacing("/etc/trafficserver/", with: directory.file("etc/"))
                .replacing("/var/cache/trafficserver 2G", with: "\(directory.file("cache")) 256M")
                .replacing("server_ports STRING 80\n", with: "server_ports STRING \(port(address))\n")
                .replacing("user_id STRING trafficserver", with: "user_id STRING #-1")
            for (index, member) in members.enumerated() {
                text = text.replacing("10.0.0.\(index + 1):8080", with: member.joined(separator: ":"))
            }
            if name == "records.config" { text += ownRecords }
            _ = try directory.write(text, to: "etc/\(name)")
        }
        _ = try directory.write(addresses, to: "etc/ip_allow.yaml")
        _ = try directory.write(logging, to: "etc/logging.yaml")
        let places = [
            "prefix: /usr", "exec_prefix: /usr", "bindir: /usr/bin", "sbindir: /usr/bin",
            "datadir: /usr/share/trafficserver",
            "includedir: /usr/include", "libdir: /usr/lib/trafficserver", "libexecdir: /usr/lib/trafficserver/modules",
            "sysconfdir: \(directory.file("etc"))", "localstatedir: \(directory.file("run"))",
            "runtimedir: \(directory.file("run"))", "logdir: \(directory.file("log"))",
            "cachedir: \(directory.file("cache"))",
        ]
        let root = try directory.write(places.joined(separator: "\n") + "\n", to: "runroot.yaml")
        return try Program("/usr/bin/traffic_server", ["--run-root=\(root)"])
    }

    /// An address as Traffic Server writes it.
    private static func port(_ address: String) -> String {
        let parts = address.split(separator: ":")
        return "\(parts[1]):ip-in=\(parts[0])"
    }

    /// Packagers are on its own machine here, and its log is read at once.
    private static let ownRecords = """
        CONFIG proxy.config.crash_log_helper STRING NULL
        CONFIG proxy.config.http.parent_proxy.self_detect INT 0
        CONFIG proxy.config.log.max_secs_per_buffer INT 1
        CONFIG proxy.config.log.periodic_tasks_interval INT 1

        """

    /// Without a file that lets somebody ask, nobody may.
    private static let addresses = """
        ip_allow:
          - apply: in
            ip_addrs: 0/0
            action: allow
            methods: ALL

        """

    /// A line for each request of a viewer, with the status that a packager has answered it with.
    private static let logging = """
        logging:
          formats:
            - name: fetches
              format: '%<sssc> %<cquc>'
          logs:
            - filename: fetches
              format: fetches
              mode: ascii

        """
}
