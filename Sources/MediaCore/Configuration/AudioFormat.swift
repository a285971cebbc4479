/// The sample rate, frame length and channels of audio of any codec.
package struct AudioFormat: Hashable, Sendable {
    /// Hz: the timescale of its track.
    package var sampleRate: Int
    /// PCM samples of a frame; of the usual one where they differ.
    package var samplesPerFrame: Int
    /// Channels that a listener hears (5.1 is 6).
    package var channels: Int

    package init(sampleRate: Int, samplesPerFrame: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.samplesPerFrame = samplesPerFrame
        self.channels = channels
    }
}

extension AC3Configuration {
    package var audio: AudioFormat {
        AudioFormat(
            sampleRate: DolbyAudio.sampleRate(code: sampleRateCode),
            samplesPerFrame: Self.samplesPerFrame,
            channels: DolbyAudio.channels(mode: audioCodingMode, hasLowFrequencyEffects: hasLowFrequencyEffects)
        )
    }
}

extension EAC3Configuration {
    package var audio: AudioFormat {
        let first = independentSubstreams.first
        let core = DolbyAudio.channels(
            mode: first?.audioCodingMode ?? 2,
            hasLowFrequencyEffects: first?.hasLowFrequencyEffects ?? false
        )
        return AudioFormat(
            sampleRate: DolbyAudio.sampleRate(code: first?.sampleRateCode ?? 0),
            samplesPerFrame: Self.samplesPerFrame,
            channels: core + DolbyAudio.channels(locations: first?.channelLocations ?? 0)
        )
    }
}
