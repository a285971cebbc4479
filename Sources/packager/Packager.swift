import ArgumentParser

/// The program: its commands.
@main
struct Packager: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packager",
        abstract: "Packages a live feed as HLS and serves it.",
        discussion: """
            An encoder's feed comes in, players pull an encrypted, rolling HLS stream out of the built-in origin. The \
            stream outlives the encoder: what is lost is marked as a gap, and media goes on at its true time.

              packager --input udp://0.0.0.0:5000
              packager --input 'srt://0.0.0.0:9000?mode=listener' --encryption sample-aes --key-rotation 30 --state state
              packager --input Samples/feed.ts --loop
              packager --config Config/packager.yaml
            """,
        version: "0.1.0",
        subcommands: [Run.self],
        defaultSubcommand: Run.self
    )
}
