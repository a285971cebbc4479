import MediaCore
import TestSupport
import Testing

/// Silence, and what is not silence, as real encoders send it.
@Suite(.timeLimit(.minutes(5)))
struct AudioExaminationTests {
    static let encoders = [
        "aac -b:a 96k", "aac -b:a 32k -ac 1", "ac3 -b:a 192k", "eac3 -b:a 128k", "mp2 -b:a 192k",
        "libtwolame -b:a 128k",
        "libmp3lame -b:a 128k", "libopus -b:a 64k",
    ]

    private static func clip(_ name: String, _ source: String, _ encoder: String, seconds: Int) -> FeedRecipe {
        let place = encoders.firstIndex(of: encoder) ?? 0
        let input = ["-f", "lavfi", "-i", source + ",aformat=sample_rates=48000:channel_layouts=stereo"]
        let codec = ["-t", "\(seconds)", "-c:a"] + encoder.split(separator: " ").map(String.init)
        return FeedRecipe("examined-audio-\(name)-\(place)", .encoded(input + codec))
    }

    /// Digital silence, and the noise of a line that nothing is connected to.
    static let silences = ["digital": "0", "noise": "0.0003"]

    @Test(arguments: encoders, silences.keys.sorted())
    func silenceIsFoundWithinASecond(encoder: String, name: String) async throws {
        let level = try #require(Self.silences[name])
        let source = "aevalsrc='if(lt(t,8),0.1*sin(440*2*PI*t),\(level)*(random(0)-0.5))':s=48000"
        let recipe = Self.clip("silent-\(name)", source, encoder, seconds: 14)
        let found = try await ExaminedClip(recipe, limit: MediaTime(seconds: 4)).firstSilent
        let delay = try #require(found) - 8
        #expect((3.9...5).contains(delay), "\(delay) s")
    }

    /// Talk with pauses of 1.8 s, and a passage that is hardly heard.
    static let audible = [
        "talk": "aevalsrc='if(lt(mod(t,3),1.2),0.1*sin(300*2*PI*t)*sin(3*2*PI*t),0)':s=48000",
        "quiet": "aevalsrc='0.005*sin(440*2*PI*t)':s=48000",
    ]

    @Test(arguments: encoders, audible.keys.sorted())
    func pausesAndQuietPassagesAreNotSilence(encoder: String, name: String) async throws {
        let recipe = Self.clip(name, try #require(Self.audible[name]), encoder, seconds: 30)
        #expect(try await ExaminedClip(recipe, limit: MediaTime(seconds: 2)).firstSilent == nil)
    }
}
