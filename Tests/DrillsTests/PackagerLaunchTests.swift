import Foundation
import MediaCore
import Testing

@testable import Drills

struct PackagerLaunchTests {
    private func launch(_ disk: Scenario.Disk?) -> PackagerLaunch {
        PackagerLaunch(program: "/usr/bin/packager", configuration: "/r/p.yaml", state: "/r/state-1", disk: disk)
    }

    @Test func aPackagerIsStartedWithItsConfiguration() {
        #expect(
            PackagerLaunch.line(launch(nil).command(.free, peer: "http://127.0.0.1:80"))
                == "/usr/bin/packager --config /r/p.yaml --listen 127.0.0.1:0 --control 127.0.0.1:0 --peer http://127.0.0.1:80"
        )
    }

    @Test func aLimitedDiskIsAFileSystemOfItsOwn() {
        #expect(
            PackagerLaunch.line(launch(.limited(3 << 20)).command(.free))
                == "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=\"$0\",mode=0700 tmpfs \"$1\" && "
                + "shift && exec \"$@\"' 3145728 /r/state-1 /usr/bin/packager --config /r/p.yaml --listen 127.0.0.1:0 "
                + "--control 127.0.0.1:0"
        )
    }

    @Test func aPackagerIsStartedOnItsMachine() {
        var launch = launch(nil)
        launch.machine = ["ip", "netns", "exec", "drill-1"]
        let line = PackagerLaunch.line(launch.command(.init(listen: "198.18.0.1:8080", control: "198.18.0.1:0")))
        #expect(line.hasPrefix("ip netns exec drill-1 /usr/bin/packager --config /r/p.yaml --listen 198.18.0.1:8080 "))
    }

    @Test func aSlowDiskDelaysWhatReachesIt() {
        let line = PackagerLaunch.line(launch(.slow(MediaTime(milliseconds: 300))).command(.free))
        #expect(line.hasPrefix("strace -D -f "))
        #expect(line.contains("inject=fsync,fdatasync,rename,renameat,renameat2:delay_enter=300000"))
    }

    @Test(arguments: [("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("--a=b:1", "--a=b:1")])
    func wordsAreQuotedWhereAShellNeedsIt(word: String, quoted: String) {
        #expect(PackagerLaunch.line([word]) == quoted)
    }

    @Test func valuesOfAConfigurationAreNothingButThemselves() {
        var document = PackagerDocument([.init("clock", ["pts"])])
        document.add("input", ["udp://a", "it's: #1"])
        document.add("backup", [])
        #expect(document.text == "clock: 'pts'\ninput: ['udp://a', 'it''s: #1']\n")
    }

    @Test func portsAreAllDifferent() throws {
        let ports = try FreePorts.take(20)
        #expect(Set(ports).count == 20)
        #expect(ports.allSatisfy { (1...65_535).contains($0) })
    }
}
