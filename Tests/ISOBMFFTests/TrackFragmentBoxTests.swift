import Testing

@testable import ISOBMFF

@Suite struct TrackFragmentBoxTests {
    @Test func headerRepeatsWhatAllSamplesShare() {
        let sample = Fixture.sample([1, 2, 3], isSync: false)
        #expect(
            TrackFragmentHeaderBox(trackID: 1, defaults: SampleDefaults([sample, sample])).hex
                == digits("00000020 74666864 0002003a 00000001 00000001 00000e10 00000003 01010000")
        )
    }

    @Test func headerOmitsWhatVaries() {
        let samples = [
            Fixture.sample([1], duration: 1), Fixture.sample([1, 2], duration: 2, isSync: false), Fixture.sample([3]),
        ]
        #expect(
            TrackFragmentHeaderBox(trackID: 1, defaults: SampleDefaults(samples)).hex
                == digits("00000014 74666864 00020002 00000001 00000001")
        )
    }

    @Test func decodeTimeHas64Bits() {
        #expect(
            TrackFragmentDecodeTimeBox(baseMediaDecodeTime: 0x0102_0304_0506_0708).hex
                == digits("00000014 74666474 01000000 0102030405060708")
        )
    }
}
