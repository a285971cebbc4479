import Testing

@testable import ISOBMFF

@Suite struct TrackRunBoxTests {
    private func run(_ samples: [FragmentSample]) -> String {
        TrackRunBox(dataOffset: 0x1234, samples: samples, defaults: SampleDefaults(samples)).hex
    }

    @Test func equalSamplesNeedNoFields() {
        let sample = Fixture.sample([1, 2, 3])
        #expect(run([sample, sample]) == digits("00000014 7472756e 01000001 00000002 00001234"))
    }

    @Test func firstSyncSampleAloneHasItsFlagsOnce() {
        let samples = [Fixture.sample([1]), Fixture.sample([2], isSync: false), Fixture.sample([3], isSync: false)]
        #expect(run(samples) == digits("00000018 7472756e 01000005 00000003 00001234 02000000"))
    }

    @Test func syncSamplesInTheMiddleMakeFlagsOfEach() {
        let samples = [Fixture.sample([1]), Fixture.sample([2], isSync: false), Fixture.sample([3])]
        #expect(
            run(samples) == digits("00000020 7472756e 01000401 00000003 00001234 02000000 01010000 02000000")
        )
    }

    @Test func everyFieldThatVariesIsWrittenInOrder() {
        let samples = [
            Fixture.sample([1], duration: 10, offset: 5),
            Fixture.sample([2, 2], duration: 11, offset: -6, isSync: false),
            Fixture.sample([3], duration: 10, isSync: true),
        ]
        #expect(
            run(samples)
                == digits(
                    """
                    00000044 7472756e 01000f01 00000003 00001234
                    0000000a 00000001 02000000 00000005
                    0000000b 00000002 01010000 fffffffa
                    0000000a 00000001 02000000 00000000
                    """
                )
        )
    }
}
