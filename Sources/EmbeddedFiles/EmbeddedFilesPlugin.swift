import Foundation
import PackagePlugin

/// Writes the files of pages into a source of their target, as texts: SwiftPM's own way makes arrays of bytes of them, which
/// cost the compiler most of a minute.
@main
struct EmbeddedFilesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
        // The guide is written where people look for it.
        let pages = target.name == "Guide" ? [context.package.directoryURL.appending(path: "docs")] : []
        let script = context.package.directoryURL.appending(path: "Sources/EmbeddedFiles/embed.sh")
        return [
            .prebuildCommand(
                displayName: "Files of pages",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    script.path(percentEncoded: false), target.directoryURL.path(percentEncoded: false),
                    output.path(percentEncoded: false),
                ] + pages.map { $0.path(percentEncoded: false) },
                outputFilesDirectory: output
            )
        ]
    }
}
