import Archive
import ContentProtection
import Control
import Foundation
import KeyServing
import MediaCore
import Operations
import Origin
import PackagerConfig
import Recording
import TestSupport
import Testing

@testable import Hosting

/// Finished recordings with keys of their own, as the settings of a channel allow them.
@Suite(.timeLimit(.minutes(5))) struct RekeyedRecordingAssemblyTests {
    private let stage: RecordedStage

    init() throws {
        stage = try RecordedStage()
    }

    private func components(_ settings: ChannelConfiguration) async throws -> ChannelComponents {
        try stage.assembly.components(of: settings, await ChannelResources(for: settings, stage.assembly)).0
    }

    private func close(_ channel: ChannelComponents) {
        channel.storage.journal?.close()
        channel.storage.recorder?.recording.close()
    }

    /// The reason why a channel takes no request for new keys; nil if it takes it.
    private func refusal(_ settings: ChannelConfiguration) async throws -> AssetRefusal? {
        let channel = try await components(settings)
        defer { close(channel) }
        let assets = try #require(stage.assembly.operation(of: channel).assets)
        var request = AssetRequest()
        request.keys = .new
        request.from = Timestamp(stage.clock.now)
        request.to = Timestamp(stage.clock.now + MediaTime(seconds: 60))
        do throws(AssetRefusal) {
            _ = try await assets.add(request, now: stage.clock.now)
            return nil
        } catch {
            return error
        }
    }

    @Test func aSecretThatIsKeptGivesNewKeys() async throws {
        #expect(try await refusal(stage.settings(["encryption": ["aes-128"]])) == nil)
    }

    @Test func aKeyServerGivesNewKeys() async throws {
        let flags = ["encryption": ["sample-aes"], "key-source": ["speke:https://keys.example.com/speke"]]
        #expect(try await refusal(stage.settings(flags)) == nil)
    }

    @Test func aChannelInTheClearHasNone() async throws {
        #expect(try await refusal(stage.settings()) == .notEncrypted)
    }

    @Test func aSecretThatEndsWithTheProcessGivesNone() async throws {
        let settings = try stage.settings(hasState: false, ["encryption": ["aes-128"]])
        #expect(try await refusal(settings) == .secretNotKept)
    }

    @Test func keysOfAFileAreThoseOfTheChannel() async throws {
        let key = String(repeating: "a", count: 32)
        let lines = [("video", String(repeating: "1", count: 32)), ("audio", String(repeating: "2", count: 32))].map {
            #"{"class": "\#($0)", "keyID": "\#($1)", "key": "\#(key)"}"#
        }
        let file = try stage.directory.write(lines.joined(separator: "\n"), to: "keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let flags = ["encryption": ["sample-aes"], "key-source": ["file:\(file)"]]
        #expect(try await refusal(stage.settings(flags)) == .keysOfDocument("file"))
    }

    /// Nothing on the disk has it.
    @Test func aKeyIsServedAfterARestartUntilItsRecordingExpires() async throws {
        let settings = try stage.settings(["encryption": ["aes-128"]])
        close(try await components(settings))
        let secret = try MasterSecret.load(path: "\(stage.state)/master.key")
        let schedule = KeySchedule(secret: secret, channel: "a", slotsPerPeriod: settings.slotsPerPeriod)
        let key = try schedule.schedule(ofRecording: "one").keys(for: CryptoPeriod(0), .video)
        var record = AssetRecord(id: "one", request: AssetRequest(), posted: stage.clock.now)
        (record.state, record.keyIDs) = (.ready, ["video": key.keyID.description])
        record.expires = Timestamp(stage.clock.now + MediaTime(seconds: 60))
        let folder = "\(stage.record)/a/recordings/one"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(record).write(to: URL(filePath: "\(folder)/asset.json"))
        let channel = try await components(settings)
        defer { close(channel) }
        let keys = try #require(stage.assembly.origin(of: channel).keys)
        #expect(try keys.availability(of: key.keyID, for: [.identity]) == .available(key))
        #expect(try keys.contentKey(key.keyID) == key.contentKey)
        stage.clock.advance(by: 60)
        #expect(try keys.availability(of: key.keyID, for: [.identity]) == .unknown)
        #expect(try keys.contentKey(key.keyID) == nil)
    }
}
