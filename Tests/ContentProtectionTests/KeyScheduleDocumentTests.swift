import ContentProtection
import FoundationEssentials
import MediaCore
import Testing

@Suite struct KeyScheduleDocumentTests {
    private func json(
        slotsPerPeriod: Int64?,
        spread: MediaTime? = nil,
        delay: MediaTime = .zero,
        systems: [KeySystem] = [.identity]
    ) throws -> String {
        let secret = try #require(MasterSecret(Array(0...31)))
        let document = try KeyScheduleDocument(
            KeySchedule(secret: secret, channel: "live", slotsPerPeriod: slotsPerPeriod),
            at: MediaSequenceNumber(7_000_005),
            segmentDuration: MediaTime(milliseconds: 3_999),
            spread: spread,
            delay: delay,
            references: { key in
                systems.map {
                    KeyReference(
                        system: $0,
                        keyID: key.keyID,
                        constantIV: key.constantIV,
                        uri: $0 == .identity ? "/live/keys/\(key.keyID)" : "skd://\(key.keyID)"
                    )
                }
            }
        )
        return String(decoding: try document.json(), as: UTF8.self)
    }

    /// The period keeps the times of the stream.
    @Test func viewersWhoAreKeptBehindFetchLater() throws {
        let text = try json(slotsPerPeriod: 10, delay: MediaTime(seconds: 60))
        for field in [
            "\"start\" : \"1970-11-20T23:50:00.000Z\"", "\"fetchFrom\" : \"1970-11-20T23:50:27.009Z\"",
            "\"fetchUntil\" : \"1970-11-20T23:50:57.000Z\"",
        ] {
            #expect(text.contains(field), "\(field)")
        }
    }

    @Test func currentAndNextPeriodWithTheirTimes() throws {
        let expected = """
            [
              {
                "end" : "1970-11-20T23:50:39.990Z",
                "fetchFrom" : "1970-11-20T23:49:27.009Z",
                "fetchUntil" : "1970-11-20T23:49:57.000Z",
                "keyID" : "5b0786900774830f03294f2a8d2fa15e",
                "period" : 700000,
                "start" : "1970-11-20T23:50:00.000Z",
                "trackClass" : "video",
                "uri" : "/live/keys/5b0786900774830f03294f2a8d2fa15e"
              },
              {
                "end" : "1970-11-20T23:50:39.990Z",
                "fetchFrom" : "1970-11-20T23:49:27.009Z",
                "fetchUntil" : "1970-11-20T23:49:57.000Z",
                "keyID" : "6a57b92ef4061a003726fdc0863da58f",
                "period" : 700000,
                "start" : "1970-11-20T23:50:00.000Z",
                "trackClass" : "audio",
                "uri" : "/live/keys/6a57b92ef4061a003726fdc0863da58f"
              },
              {
                "end" : "1970-11-20T23:51:19.980Z",
                "fetchFrom" : "1970-11-20T23:50:06.999Z",
                "fetchUntil" : "1970-11-20T23:50:36.990Z",
                "keyID" : "edb79a6d52e86dd490b238606246fa1a",
                "period" : 700001,
                "start" : "1970-11-20T23:50:39.990Z",
                "trackClass" : "video",
                "uri" : "/live/keys/edb79a6d52e86dd490b238606246fa1a"
              },
              {
                "end" : "1970-11-20T23:51:19.980Z",
                "fetchFrom" : "1970-11-20T23:50:06.999Z",
                "fetchUntil" : "1970-11-20T23:50:36.990Z",
                "keyID" : "81239c30d63ee35ae817d59d48460e11",
                "period" : 700001,
                "start" : "1970-11-20T23:50:39.990Z",
                "trackClass" : "audio",
                "uri" : "/live/keys/81239c30d63ee35ae817d59d48460e11"
              }
            ]
            """
        #expect(try json(slotsPerPeriod: 10) == expected)
    }

    @Test func keysThatNeverChangeHaveNoTimes() throws {
        #expect(
            try json(slotsPerPeriod: nil) == """
                [
                  {
                    "keyID" : "aeff5e5192a6f730abe3438a30c6b146",
                    "period" : 0,
                    "trackClass" : "video",
                    "uri" : "/live/keys/aeff5e5192a6f730abe3438a30c6b146"
                  },
                  {
                    "keyID" : "c6387ec82bd527ed42a7fcc973240467",
                    "period" : 0,
                    "trackClass" : "audio",
                    "uri" : "/live/keys/c6387ec82bd527ed42a7fcc973240467"
                  }
                ]
                """
        )
    }

    @Test func aSpreadEndsWithTheTimeThatThereIs() throws {
        let json = try self.json(slotsPerPeriod: 10, spread: MediaTime(seconds: 10))
        #expect(json.contains("\"fetchFrom\" : \"1970-11-20T23:50:26.990Z\""))
        #expect(json.contains("\"fetchUntil\" : \"1970-11-20T23:50:36.990Z\""))
        // One that is longer than the period before begins with that.
        #expect(try self.json(slotsPerPeriod: 10, spread: MediaTime(seconds: 100)) == self.json(slotsPerPeriod: 10))
    }

    private struct Window: Decodable {
        var fetchFrom: String?
        var fetchUntil: String?
    }

    /// Players choose a moment between the two, so that not all of them ask at once.
    @Test(arguments: Array(2...12) as [Int64]) func shortPeriodsLeaveTimeToChooseAMoment(slotsPerPeriod: Int64) throws {
        let json = try self.json(slotsPerPeriod: slotsPerPeriod)
        let windows = try JSONDecoder().decode([Window].self, from: Data(json.utf8))
        let coming = try #require(windows.last)
        #expect(try #require(coming.fetchFrom) < #require(coming.fetchUntil))
    }

    @Test func keysOfLicenceServersAreNamedAsPlaylistsNameThem() throws {
        let json = try self.json(slotsPerPeriod: nil, systems: [.fairplay])
        #expect(json.contains("\"com.apple.streamingkeydelivery\" : \"skd://aeff5e5192a6f730abe3438a30c6b146\""))
        #expect(!json.contains("/live/keys/"))
    }
}
