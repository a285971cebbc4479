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
        let directories = Self.contents(of: target.directoryURL).filter(\.hasDirectoryPath)
        let files = directories.flatMap { Self.contents(of: $0) } + pages.flatMap { Self.contents(of: $0) }
        return [
            .buildCommand(
                displayName: "Files of pages",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    script.path(percentEncoded: false), target.directoryURL.path(percentEncoded: false),
                    output.path(percentEncoded: false),
                ] + pages.map { $0.path(percentEncoded: false) },
                inputFiles: [script] + files.filter { Self.extensions.contains($0.pathExtension) },
                outputFiles: [output.appending(path: "EmbeddedFiles.swift")]
            )
        ]
    }

    /// The extensions of the files that the script embeds.
    private static let extensions: Set = ["html", "css", "js", "json", "svg", "md"]

    /// Returns the entries of a directory, in order; none if it cannot be read.
    private static func contents(of directory: URL) -> [URL] {
        let entries = try? FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: [.isDirectoryKey]
        )
        return (entries ?? []).sorted { $0.path < $1.path }
    }
}
