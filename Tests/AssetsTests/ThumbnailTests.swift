import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import Assets

@Suite struct ThumbnailTests {
    private func segment(_ name: String, isClear: Bool = true) -> MediaPlaylist.Segment {
        MediaPlaylist.Segment(
            uri: name,
            duration: SegmentDuration(value: 4, timescale: 1),
            programDateTime: .zero,
            keys: isClear ? [] : [EncryptionKey(method: .sampleAES, uri: "keys/1")],
            map: MediaInitialization(uri: "init.mp4")
        )
    }

    @Test func picturesAreTenSecondsApart() {
        var plan = ThumbnailPlan(length: MediaTime(seconds: 60))
        for index in 0..<10 { plan.offer(segment("v/\(index).m4s"), at: MediaTime(seconds: Int64(index) * 4)) }
        #expect(plan.thumbnails.map(\.segment.uri) == ["v/0.m4s", "v/3.m4s", "v/6.m4s", "v/9.m4s"])
        #expect(
            plan.text(made: [0, 2], duration: MediaTime(seconds: 3641)) == """
                WEBVTT

                00:00:00.000 --> 00:00:24.000
                thumbnails/0.jpg

                00:00:24.000 --> 01:00:41.000
                thumbnails/2.jpg

                """
        )
    }

    @Test func aLongAssetHasNoMoreThanThreeHundred() {
        var plan = ThumbnailPlan(length: MediaTime(seconds: 86_400))
        for index in 0..<21_600 { plan.offer(segment("v/\(index).m4s"), at: MediaTime(seconds: Int64(index) * 4)) }
        #expect((290...300).contains(plan.thumbnails.count))
    }

    @Test func onlyClearFragmentsAreShown() {
        var plan = ThumbnailPlan(length: MediaTime(seconds: 60))
        plan.offer(segment("v/0.m4s", isClear: false), at: .zero)
        plan.offer(segment("v/0.ts"), at: .zero)
        #expect(plan.thumbnails.isEmpty)
    }

    @Test func keyFramesGoToTheMakerWithTheirParameterSets() async throws {
        let folder = try TemporaryDirectory()
        let media = try MadeMedia(0..<10)
        let frames = FrameList()
        let library = AssetLibrary(
            directory: folder.file("recordings"),
            channel: "live",
            recording: MadeRecording(media, Array(0..<10)),
            slot: MadeMedia.slot,
            keys: { _ in RecalledKeys([:]) },
            thumbnail: { frame in
                frames.frames.withLock { $0.append(frame) }
                return ByteBuffer(string: "picture")
            }
        )
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(MadeMedia.time(2)), Timestamp(MadeMedia.time(20)))
        let id = try library.add(request, now: MadeMedia.time(100)).id
        _ = await library.work(now: MadeMedia.time(100))
        let shown = frames.frames.withLock(\.self)
        #expect(shown.count == 2)
        guard case .avc(let avc)? = shown.first?.configuration else {
            Issue.record("no H.264")
            return
        }
        #expect(avc.sequenceParameterSets == MadeMedia.avc.sequenceParameterSets)
        #expect(avc.pictureParameterSets == MadeMedia.avc.pictureParameterSets)
        #expect(shown.map { Array($0.payload.readableBytesView.prefix(2)) } == [[0, 50], [1, 44]])
        for name in ["poster.jpg", "thumbnails/0.jpg", "thumbnails/1.jpg", "thumbnails.vtt"] {
            #expect(try library.byteCount(of: "\(id)/\(name)") != nil, "\(name)")
        }
    }
}

private final class FrameList: Sendable {
    let frames = Mutex<[KeyFrame]>([])
}
