import Foundation
import PackagePlugin

/// Writes what a program is built from into a file of its sources, before each build.
@main
struct BuildInformationPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
        let script = context.package.directoryURL.appending(path: "Sources/BuildInformation/describe.sh")
        return [
            .prebuildCommand(
                displayName: "What is built",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    script.path(percentEncoded: false), context.package.directoryURL.path(percentEncoded: false),
                    output.path(percentEncoded: false),
                ],
                outputFilesDirectory: output
            )
        ]
    }
}
