// swift-tools-version: 6.2
import PackageDescription

// A target imports only targets of lower layers, and none of its own.
let package = Package(
    name: "packager",
    products: [
        .executable(name: "packager", targets: ["packager"]),
        // The plug-in that tests load.
        .library(name: "FairPlayTestProvider", type: .dynamic, targets: ["FairPlayTestProvider"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Layer 0: C headers.
        .systemLibrary(
            name: "CFFmpeg",
            pkgConfig: "libavformat libavcodec libavutil",
            providers: [.apt(["libavformat-dev", "libavcodec-dev"])]
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CFairPlayProvider"),
        .systemLibrary(name: "CGlibc"),
        .target(name: "CDatagrams"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Layer 1: the types that all others share: time, media, files, XML, handover.
        .target(name: "MediaCore", dependencies: [.nio]),
        .target(name: "Files", dependencies: ["CGlibc", .nio]),
        .target(name: "XML"),
        .target(name: "Succession"),

        // Layer 2: formats, protocols and pure arithmetic.
        .target(name: "Codecs", dependencies: ["MediaCore", .nio]),
        .target(name: "ISOBMFF", dependencies: ["MediaCore", .nio]),
        .target(name: "MPEGTS", dependencies: ["MediaCore", .nio]),
        .target(name: "Playlists", dependencies: ["MediaCore"]),
        .target(name: "ContentProtection", dependencies: ["MediaCore", "Files", "COpenSSL", .nio]),
        .target(name: "Timeline", dependencies: ["MediaCore"]),
        .target(name: "TimedText", dependencies: ["MediaCore", "XML"]),
        .target(name: "Publishing", dependencies: ["MediaCore", .nio]),

        // Layer 3: feeds, the live window, reports to operators, and HTTP.
        .target(
            name: "FairPlay",
            dependencies: ["MediaCore", "Files", "ContentProtection", "COpenSSL", "CFairPlayProvider", .nio]
        ),
        .target(name: "SCTE35", dependencies: ["MediaCore", "Codecs", "MPEGTS"]),
        .target(
            name: "Ingest",
            dependencies: [
                "MediaCore", "Codecs", "MPEGTS", "TimedText", "Publishing", "CFFmpeg", "CGlibc",
                "CDatagrams", .nio, .nioPosix, .subprocess,
            ]
        ),
        .target(name: "Operations", dependencies: ["MediaCore", "Playlists", "Timeline", .logging, .nio]),
        .target(
            name: "Presentation",
            dependencies: [
                "MediaCore", "Files", "Playlists", .atomics, .nio, .nioEmbedded, .nioCompression, .nioHTTP1,
            ]
        ),

        .target(name: "Inspection", dependencies: ["MediaCore", .nio]),
        .target(name: "CPIX", dependencies: ["MediaCore", "XML", "Playlists", "ContentProtection"]),
        .target(name: "Fetching", dependencies: ["MediaCore", "Files", .nio, .nioHTTP1, .nioSSL, .asyncHTTPClient]),
        .target(
            name: "HTTPServing",
            dependencies: [
                "MediaCore", "Files", .atomics, .nio, .nioExtras, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL, .nioTLS,
                .lifecycle,
            ],
            exclude: ["Pages/icon.svg", "Pages/look.css"],
            plugins: ["EmbeddedFiles"]
        ),

        // Layer 4: the guide for browsers; decisions on slots, without lock, clock and I/O; sources of keys, subtitles
        // and ads; events on disk and to webhooks.
        .target(name: "Guide", dependencies: ["HTTPServing"], exclude: ["Style"], plugins: ["EmbeddedFiles"]),
        .target(
            name: "Segmenting",
            dependencies: [
                "MediaCore", "Codecs", "ISOBMFF", "Playlists", "ContentProtection", "Timeline", "SCTE35",
                "Operations", .nio, .logging,
            ]
        ),

        .target(
            name: "KeySources",
            dependencies: ["MediaCore", "Files", "ContentProtection", "CPIX", "Fetching", .nio, .nioHTTP1]
        ),

        .target(name: "SubtitleSources", dependencies: ["MediaCore", "Files", "TimedText", "Fetching", .nio]),

        .target(
            name: "AdSources",
            dependencies: ["MediaCore", "XML", "Files", "Playlists", "Fetching", .nio, .nioHTTP1, .subprocess]
        ),

        .target(
            name: "EventDelivery",
            dependencies: [
                "MediaCore", "Files", "Playlists", "Operations", "ContentProtection", "Fetching", "CSQLite", .nio,
                .nioHTTP1,
            ]
        ),

        // Layer 5: the writing of segments, the probe of a feed, answers to key requests, and recordings on disk.
        .target(
            name: "Packaging",
            dependencies: [
                "MediaCore", "Codecs", "ISOBMFF", "MPEGTS", "Playlists", "ContentProtection", "TimedText",
                "Segmenting", "Presentation", .nio,
            ]
        ),

        .target(
            name: "Probing",
            dependencies: [
                "MediaCore", "Codecs", "Playlists", "Timeline", "Ingest", "Operations", "Segmenting",
            ]
        ),

        .target(
            name: "KeyServing",
            dependencies: ["MediaCore", "ContentProtection", "FairPlay", .nio, .logging]
        ),

        .target(name: "Recording", dependencies: ["MediaCore", "Files", "Playlists", "Presentation", .nio]),

        // Layer 6: the driver of a channel, settings, origin and control API, storage, and checks from outside.
        .target(
            name: "Channels",
            dependencies: [
                "MediaCore", "Codecs", "ISOBMFF", "Playlists", "ContentProtection", "Timeline", "TimedText",
                "Operations", "Segmenting", "Packaging", "Presentation", .atomics, .nio, .logging,
            ]
        ),
        .target(
            name: "Origin",
            dependencies: [
                "MediaCore", "Files", "HTTPServing", "Guide", "Playlists", "ContentProtection", "AdSources",
                "Operations", "Presentation", "Recording", "KeyServing", .nio, .nioHTTP1, .lifecycle, .logging,
            ],
            exclude: ["Player"],
            plugins: ["EmbeddedFiles"]
        ),
        .target(
            name: "PackagerConfig",
            dependencies: ["MediaCore", "Operations", "Playlists", "Timeline", "TimedText", .nio, .logging, .yams]
        ),
        .target(
            name: "Control",
            dependencies: [
                "MediaCore", "Files", "HTTPServing", "Guide", "Playlists", "ContentProtection", "TimedText", "SCTE35",
                "Operations", "Presentation", .nio, .nioHTTP1, .lifecycle, .logging,
            ],
            exclude: ["OpenAPI/openapi.json", "Page"],
            plugins: ["EmbeddedFiles"]
        ),
        .target(
            name: "Archive",
            dependencies: ["MediaCore", "Files", "Playlists", "Operations", "Presentation", "Fetching", .nio, .logging]
        ),
        .target(
            name: "ObjectStores",
            dependencies: [
                "MediaCore", "Files", "Playlists", "ContentProtection", "Presentation", "Fetching", .nio, .nioHTTP1,
            ]
        ),
        .target(
            name: "Rekeying",
            dependencies: [
                "MediaCore", "Files", "Codecs", "ISOBMFF", "MPEGTS", "Playlists", "ContentProtection", "Inspection",
                "Packaging", .nio,
            ]
        ),
        .target(
            name: "Conformance",
            dependencies: ["MediaCore", "Playlists", "TimedText", "ContentProtection", "Inspection", "Fetching", .nio]
        ),

        // Layer 7: clips and VOD made of recordings.
        .target(
            name: "Assets",
            dependencies: [
                "MediaCore", "Files", "ISOBMFF", "Inspection", "Playlists", "ContentProtection", "SCTE35",
                "Operations", "Packaging", "Presentation", "Recording", "Rekeying", .nio,
            ]
        ),

        // Layer 8: the host of channels, with reloads and upgrades; failover drills; manifests for Kubernetes.
        .target(
            name: "Hosting",
            dependencies: [
                "MediaCore", "Files", "Succession", "Playlists", "ContentProtection", "Timeline", "Ingest",
                "SubtitleSources", "AdSources", "Packaging", "Presentation", "Segmenting", "Channels", "Fetching",
                "HTTPServing", "Origin", "CPIX", "KeySources", "KeyServing", "FairPlay", "PackagerConfig", "Control",
                "Archive", "Assets", "Recording", "ObjectStores", "Operations", "EventDelivery", "CGlibc", .nio,
                .nioHTTP1, .nioPosix, .lifecycle, .logging, .unixSignals,
            ]
        ),
        .target(
            name: "Drills",
            dependencies: [
                "MediaCore", "Codecs", "MPEGTS", "Playlists", "SCTE35", "Ingest", "Fetching", "PackagerConfig",
                "Conformance", .nio, .yams, .subprocess, .systemPackage,
            ]
        ),
        .target(name: "Manifests", dependencies: ["MediaCore", "PackagerConfig", .nio, .yams]),

        // Layer 9: commands and wiring.
        .executableTarget(
            name: "packager",
            dependencies: [
                "MediaCore", "Succession", "Playlists", "ContentProtection", "Timeline", "Ingest", "Fetching", "CPIX",
                "KeySources", "PackagerConfig", "Conformance", "Rekeying", "Drills", "Operations", "Probing", "Assets",
                "Hosting", "Manifests", .argumentParser, .logging, .nio, .nioHTTP1, .unixSignals,
            ],
            linkerSettings: [
                // 8 MB less memory: packed relocations are not read page by page, and no symbols are exported.
                .unsafeFlags([
                    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                    "-Xlinker", "--no-export-dynamic",
                ])
            ],
            plugins: ["BuildInformation"]
        ),
        .plugin(name: "EmbeddedFiles", capability: .buildTool(), path: "Sources/EmbeddedFiles"),
        .plugin(name: "BuildInformation", capability: .buildTool(), path: "Sources/BuildInformation"),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["MediaCore", "Files", .nio, .nioHTTP1, .asyncHTTPClient],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "MediaCoreTests", dependencies: ["TestSupport", "MediaCore", .nio]),
        .testTarget(name: "FilesTests", dependencies: ["TestSupport", "Files", .nio]),
        .testTarget(name: "SuccessionTests", dependencies: ["Succession"]),
        .testTarget(name: "CodecsTests", dependencies: ["TestSupport", "Codecs", "MediaCore", .nio]),
        .testTarget(name: "ISOBMFFTests", dependencies: ["TestSupport", "ISOBMFF", "Inspection", "MediaCore", .nio]),
        .testTarget(
            name: "SCTE35Tests",
            dependencies: ["TestSupport", "SCTE35", "MPEGTS", "MediaCore"],
            exclude: ["threefive_reads.py"]
        ),
        .testTarget(name: "MPEGTSTests", dependencies: ["TestSupport", "MPEGTS", "Inspection", "MediaCore", .nio]),
        .testTarget(name: "PlaylistsTests", dependencies: ["TestSupport", "Playlists", "MediaCore"]),
        .testTarget(
            name: "ContentProtectionTests",
            dependencies: ["TestSupport", "ContentProtection", "Files", "MediaCore", .nio]
        ),
        .target(
            name: "FairPlayTestProvider",
            path: "Tests/FairPlaySupport/Provider",
            cSettings: [.headerSearchPath("../../../Sources/CFairPlayProvider")],
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(
            name: "FairPlaySupport",
            dependencies: [
                "TestSupport", "FairPlay", "FairPlayTestProvider", "ContentProtection", "MediaCore", "COpenSSL",
                "CFairPlayProvider", .nio,
            ],
            path: "Tests/FairPlaySupport/Device"
        ),
        .testTarget(
            name: "FairPlayTests",
            dependencies: [
                "TestSupport", "FairPlaySupport", "FairPlay", "FairPlayTestProvider", "ContentProtection", "MediaCore",
                "CFairPlayProvider", .nio,
            ],
            exclude: ["device.py"]
        ),
        .testTarget(
            name: "CPIXTests",
            dependencies: ["TestSupport", "CPIX", "XML", "ContentProtection", "MediaCore"]
        ),
        .testTarget(name: "XMLTests", dependencies: ["XML"]),
        .testTarget(
            name: "KeySourcesTests",
            dependencies: ["TestSupport", "KeySources", "CPIX", "ContentProtection", "MediaCore", .nio, .nioHTTP1]
        ),
        .testTarget(
            name: "KeyServingTests",
            dependencies: [
                "TestSupport", "FairPlaySupport", "KeyServing", "FairPlay", "ContentProtection", "MediaCore", .nio,
                .logging,
            ],
            exclude: ["Tokens/issue.py"]
        ),
        .testTarget(name: "TimelineTests", dependencies: ["TestSupport", "Timeline", "Operations", "MediaCore"]),
        .testTarget(
            name: "AdSourcesTests",
            dependencies: ["TestSupport", "AdSources", "Fetching", "Files", "Playlists", "MediaCore", .nio, .nioPosix]
        ),
        .testTarget(
            name: "SubtitleSourcesTests",
            dependencies: ["SubtitleSources", "TimedText", "Fetching", "Files", "MediaCore"]
        ),
        .testTarget(name: "TimedTextTests", dependencies: ["TestSupport", "TimedText", "MediaCore"]),
        .testTarget(name: "ProbingTests", dependencies: ["TestSupport", "Probing", "Operations", "MediaCore", .nio]),
        .testTarget(name: "PublishingTests", dependencies: ["Publishing", "MediaCore", .nio]),
        .testTarget(
            name: "EventDeliveryTests",
            dependencies: [
                "TestSupport", "EventDelivery", "Files", "Operations", "Playlists", "MediaCore", "Fetching",
            ],
            exclude: ["Webhooks/receiver.py"]
        ),
        .testTarget(
            name: "OperationsTests",
            dependencies: ["TestSupport", "Operations", "MediaCore", "Playlists", .logging]
        ),
        .testTarget(
            name: "IngestTests",
            dependencies: [
                "TestSupport", "Ingest", "Codecs", "MPEGTS", "Publishing", "Timeline", "TimedText", "MediaCore", .nio,
            ]
        ),
        .testTarget(
            name: "PresentationTests",
            dependencies: [
                "TestSupport", "Presentation", "Playlists", "Files", "MediaCore",
                .nio, .nioEmbedded, .nioHTTP1, .nioCompression,
            ]
        ),
        .target(
            name: "SegmentingSupport",
            dependencies: ["Segmenting", "Presentation", "Playlists", "ISOBMFF", "MediaCore", .nio],
            path: "Tests/SegmentingSupport"
        ),
        .target(
            name: "RecordingSupport",
            dependencies: ["Recording", "Presentation", "Playlists", "MediaCore"],
            path: "Tests/RecordingSupport"
        ),
        .testTarget(
            name: "SegmentingTests",
            dependencies: [
                "TestSupport", "SegmentingSupport", "Segmenting", "Codecs", "ISOBMFF", "Playlists",
                "ContentProtection", "Timeline", "SCTE35", "Operations", "MediaCore", .nio,
            ]
        ),
        .testTarget(
            name: "PackagingTests",
            dependencies: [
                "TestSupport", "SegmentingSupport",
                "Packaging", "Segmenting", "Codecs", "ISOBMFF", "MPEGTS", "Playlists", "ContentProtection", "Timeline",
                "TimedText", "Presentation", "Operations", "Inspection", "MediaCore", .nio,
            ]
        ),
        .testTarget(
            name: "ChannelsTests",
            dependencies: [
                "TestSupport", "SegmentingSupport",
                "Channels", "Packaging", "Segmenting", "Codecs", "ISOBMFF", "Playlists", "ContentProtection",
                "Timeline", "TimedText", "SCTE35",
                "Presentation", "Operations", "Archive", "Inspection", "MediaCore", "Files", .nio, .logging,
            ]
        ),
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "TestSupport",
                "Ingest", "Channels", "Packaging", "Segmenting", "Operations", "Presentation", "Playlists", "Timeline",
                "ContentProtection", "Archive", "SCTE35", "TimedText",
                "MediaCore",
                .nio, .logging,
            ],
            exclude: ["Feeds", "Goldens"]
        ),
        .testTarget(
            name: "OriginTests",
            dependencies: [
                "TestSupport", "Origin", "HTTPServing", "KeyServing", "KeySources", "AdSources", "Operations",
                "Presentation",
                "Recording", "Playlists", "ContentProtection", "Files", "MediaCore", .nio, .nioEmbedded, .nioHTTP1,
                .nioHTTP2, .nioPosix, .lifecycle, .logging,
            ]
        ),
        .testTarget(
            name: "FetchingTests",
            dependencies: ["TestSupport", "Fetching", "MediaCore", .nio, .nioPosix]
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "TestSupport", "HTTPServing", "Files", "MediaCore", .nio, .nioEmbedded, .nioHTTP1, .nioHTTP2, .nioPosix,
                .nioSSL, .nioTLS,
            ]
        ),
        .testTarget(name: "GuideTests", dependencies: ["TestSupport", "Guide", "HTTPServing", .nio]),
        .testTarget(
            name: "PackagerConfigTests",
            dependencies: ["TestSupport", "PackagerConfig", "Timeline", "TimedText", "MediaCore", .logging]
        ),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "TestSupport", "Control", "Files", "HTTPServing", "Operations", "Presentation", "Playlists", "SCTE35",
                "TimedText", "MediaCore", .nio, .nioHTTP1, .nioPosix, .lifecycle, .logging,
            ]
        ),
        .testTarget(
            name: "ArchiveTests",
            dependencies: [
                "TestSupport", "Archive", "Files", "Operations", "Presentation", "Playlists", "MediaCore", .nio,
                .nioPosix, .logging,
            ]
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["TestSupport", "Recording", "Files", "Presentation", "Playlists", "MediaCore", .nio]
        ),
        .testTarget(
            name: "ObjectStoresTests",
            dependencies: [
                "TestSupport", "ObjectStores", "ContentProtection", "Fetching", "Files", "Presentation", "Playlists",
                "MediaCore", .nio, .nioHTTP1, .nioPosix,
            ],
            exclude: ["Stores/stores.py"]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "TestSupport", "Conformance", "Fetching", "Inspection", "ISOBMFF", "MPEGTS", "ContentProtection",
                "Playlists",
                "MediaCore", .nio,
            ]
        ),
        .testTarget(
            name: "RekeyingTests",
            dependencies: ["Rekeying", "ContentProtection", "Playlists", "MediaCore", .nio]
        ),
        .testTarget(
            name: "AssetsTests",
            dependencies: [
                "TestSupport", "Assets", "ISOBMFF", "Inspection", "Rekeying", "Presentation", "Playlists",
                "ContentProtection", "SCTE35", "Operations", "Recording", "Files", "MediaCore", .nio,
            ]
        ),
        .testTarget(
            name: "DrillsTests",
            dependencies: [
                "TestSupport", "Drills", "Conformance", "Fetching", "Ingest", "MPEGTS", "Playlists", "SCTE35",
                "MediaCore",
            ]
        ),
        .testTarget(
            name: "ManifestsTests",
            dependencies: ["TestSupport", "Manifests", "PackagerConfig"],
            exclude: ["Goldens", "judge.py"]
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: ["Assets", "Fetching", "PackagerConfig", "packager", .argumentParser]
        ),
        .testTarget(
            name: "HostingTests",
            dependencies: [
                "TestSupport", "SegmentingSupport", "RecordingSupport", "Hosting", "Succession", "PackagerConfig",
                "Control", "Channels", "Segmenting", "Packaging", "Presentation", "Playlists", "Operations",
                "EventDelivery", "Archive", "Assets", "Recording", "ObjectStores", "Origin", "HTTPServing",
                "KeyServing", "ContentProtection", "Files", "Ingest", "MediaCore", .nio, .nioHTTP1, .nioPosix,
                .lifecycle, .logging,
            ]
        ),
        .target(
            name: "FuzzReaders",
            dependencies: [
                "MediaCore", "Codecs", "ISOBMFF", "MPEGTS", "Playlists", "Timeline", "TimedText", "SCTE35", "Ingest",
                "Publishing", "Presentation", "Operations", "Segmenting", "Channels", "CPIX", "Origin",
                "PackagerConfig", "Archive", "Inspection", "ContentProtection", "FairPlay", "FairPlaySupport",
                "KeyServing", "AdSources", "Control", "Fetching", "Files", "HTTPServing", .nio, .nioEmbedded, .nioHTTP1,
                .logging,
            ],
            path: "Tests/Fuzz/Readers"
        ),
        .testTarget(name: "FuzzTests", dependencies: ["TestSupport", "FuzzReaders"], path: "Tests/Fuzz/Replay"),
        .target(name: "AllocationCounter", path: "Tests/Measures/Counter"),
        .target(
            name: "MeasuredChannel",
            dependencies: [
                "MediaCore", "ContentProtection", "Timeline", "Ingest", "Operations", "Presentation", "Segmenting",
                "Packaging",
                "Channels", "Origin", .logging,
            ],
            path: "Tests/Measures/Channel"
        ),
        .executableTarget(
            name: "costs",
            dependencies: [
                "AllocationCounter", "MeasuredChannel", "MediaCore", "Origin", "HTTPServing", .nio, .nioHTTP1, .logging,
            ],
            path: "Tests/Measures/Costs"
        ),
        .executableTarget(
            name: "publication",
            dependencies: [
                "TestSupport", "MeasuredChannel", "MediaCore", "Files", "Operations", "Presentation", "Archive", .nio,
                .logging,
            ],
            path: "Tests/Measures/Publication"
        ),
        .executableTarget(
            name: "keys",
            dependencies: ["FairPlay", "FairPlaySupport", "ContentProtection", "MediaCore", .nio],
            path: "Tests/Measures/Keys"
        ),
        .executableTarget(
            name: "recorded",
            dependencies: ["RecordingSupport", "MediaCore", "Playlists", "Presentation", "Recording", .nio],
            path: "Tests/Measures/Recorded"
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "TestSupport", "Hosting", "Archive", "Channels", "Origin", "Presentation", "PackagerConfig",
                "Operations", "MediaCore", "CGlibc", .logging,
            ]
        ),
        // Few dependencies: it is compiled beside the rest.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "Conformance", "Fetching", "Playlists", "Presentation", "Recording", "ContentProtection",
                "MediaCore", "TimedText", .nio,
            ],
            exclude: [
                "Browser", "Control/contract.py", "Control/schemathesis.toml", "Crowd/crowd.py", "Edges/audience.py",
                "Keys/speke_server.py", "Splices/splices.py", "Splices/messages.py", "Splices/ad_server.py", "Text",
                "Security/floods.py", "Security/http1_floods.py", "Security/stalled.py", "Security/publishers.py",
            ]
        ),
    ]
)

extension Target.Dependency {
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let atomics = product(name: "Atomics", package: "swift-atomics")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let logging = product(name: "Logging", package: "swift-log")
    static let nio = product(name: "NIOCore", package: "swift-nio")
    static let nioCompression = product(name: "NIOHTTPCompression", package: "swift-nio-extras")
    static let nioExtras = product(name: "NIOExtras", package: "swift-nio-extras")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
    static let systemPackage = product(name: "SystemPackage", package: "swift-system")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let yams = product(name: "Yams", package: "Yams")
}

// `make fuzz` sets FUZZ_DRIVER: modules are then instrumented for libFuzzer.
if let driver = Context.environment["FUZZ_DRIVER"] {
    for target in package.targets where target.type == .regular {
        target.swiftSettings = [.unsafeFlags(["-sanitize=fuzzer"])]
    }
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzReaders"],
            path: "Tests/Fuzz/Main",
            linkerSettings: [.unsafeFlags(["-Xlinker", driver, "-lstdc++"])]
        )
    )
}

// A plug-in is compiled with every build, so only `make docs` depends on this one.
if Context.environment["DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// `make test` sets OPTIMIZE_SOURCES: modules that carry media and requests are optimised, as in service. The others,
// and the tests, are not, and build faster.
if Context.environment["OPTIMIZE_SOURCES"] != nil {
    let unoptimized = [
        "AdSources", "Assets", "Conformance", "Control", "Drills", "EventDelivery", "Guide", "Hosting", "KeySources",
        "Manifests", "ObjectStores", "Operations", "PackagerConfig", "Probing", "packager",
    ]
    for target in package.targets
    where target.path == nil && [.regular, .executable].contains(target.type) && !unoptimized.contains(target.name) {
        target.swiftSettings = [.unsafeFlags(["-O"])]
    }
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
    var settings = target.swiftSettings ?? []
    settings += [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableExperimentalFeature("Lifetimes"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    // These modules call C the most: every unsafe expression in them is marked `unsafe`.
    if ["Ingest", "ContentProtection", "FairPlay"].contains(target.name) { settings.append(.strictMemorySafety()) }
    target.swiftSettings = settings
}
