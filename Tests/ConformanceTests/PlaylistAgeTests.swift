import MediaCore
import Testing

@testable import Conformance

@Suite struct PlaylistAgeTests {
    private func seconds(_ seconds: Int64) -> MediaTime { MediaTime(seconds: seconds) }

    @Test func onlyWhatARequestProvesCounts() {
        var age = PlaylistAge()
        let stream = RollingPlaylist()
        age.playlistLoaded(stream.playlist(end: 100), requestedAt: seconds(0), at: seconds(1))
        age.playlistLoaded(stream.playlist(end: 101), requestedAt: seconds(20), at: seconds(21))
        #expect(age.longest == .zero)
        age.playlistLoaded(stream.playlist(end: 101), requestedAt: seconds(25), at: seconds(29))
        #expect(age.longest == seconds(4))
        #expect(age.gainedAt == seconds(21))
    }

    @Test func anEndedPlaylistDoesNotAge() {
        var age = PlaylistAge()
        let stream = RollingPlaylist(stopsBefore: 100, isEnded: true)
        for time in Int64(0)..<10 {
            age.playlistLoaded(stream.playlist(end: 100), requestedAt: seconds(time * 10), at: seconds(time * 10))
        }
        #expect(age.longest == .zero)
        #expect(age.gainedAt == nil)
    }
}
