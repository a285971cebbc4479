import Foundation
import Playlists
import TestSupport
import Testing

/// The multivariant playlist says what is in the feed.
@Suite struct DeclarationTests {
    private let format = SegmentFormat(.fragmentedMP4, .none)

    @Test func captionsAreDeclared() async throws {
        let published = try await PackagedFeed([.captions], as: format)
        #expect(published.multivariant.closedCaptions.map(\.instreamID) == ["CC1", "SERVICE1"])
        #expect(published.multivariant.variants.allSatisfy { $0.closedCaptionsGroup != nil })
        await published.packager.end()
    }

    @Test func thatThereAreNoCaptionsIsSaid() async throws {
        let published = try await PackagedFeed([.avc], as: format)
        #expect(try await published.packager.text("index.m3u8").contains("CLOSED-CAPTIONS=NONE"))
        await published.packager.end()
    }

    @Test func descriptiveAudioIsCharacterized() async throws {
        let published = try await PackagedFeed([.languages], as: format)
        let renditions = published.multivariant.renditions
        #expect(renditions.map(\.language) == ["en", "de", "en"])
        #expect(renditions.map(\.characteristics) == [nil, nil, "public.accessibility.describes-video"])
        #expect(renditions.map(\.isDefault) == [true, false, false])
        await published.packager.end()
    }

    @Test(arguments: [(1, 180), (2, 270)])
    func programsAreChosen(program: Int, height: Int) async throws {
        let published = try await PackagedFeed([.programs], as: format, options: ["--program", "\(program)"])
        #expect(published.multivariant.variants.map(\.resolution?.height) == [height])
        await published.packager.end()
    }
}
