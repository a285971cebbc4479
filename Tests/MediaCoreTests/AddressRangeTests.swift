import MediaCore
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false), ("192.0.2.128/25", "192.0.2.127", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "::1", false), ("2001:db8::/32", "2001:db8:1::9", true), ("2001:db8::/32", "2001:db9::", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("fe80::/10", "fe80::1%eth0", true), ("10.0.0.0/8", "nobody", false),
    ])
    func itHasTheAddressesThatBeginLikeIt(range: String, address: String, isThere: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isThere)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0/8", "h", "::/129", "10.0.0.0/8/8", "1/-1"])
    func whatIsNoneIsNotRead(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(arguments: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"])
    func itIsWrittenAsItIsRead(text: String) throws {
        #expect(try #require(AddressRange(text)).description == text)
    }

    @Test(arguments: [
        ("8.8.8.8", true), ("2606:4700::1111", true), ("172.32.0.1", true), ("100.128.0.1", true),
        ("::ffff:8.8.8.8", true),
        ("127.0.0.1", false), ("10.0.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false),
        ("0.0.0.0", false),
        ("169.254.169.254", false), ("100.64.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false),
        ("::1", false), ("::", false), ("::ffff:127.0.0.1", false), ("fe80::1%eth0", false), ("fd00::1", false),
        ("ff02::1", false), ("", false), ("example.com", false), ("8.8.8.8/32", false), ("10.0.0.1/32", false),
    ])
    func publicAddressesAreTold(address: String, isPublic: Bool) {
        #expect(AddressRange.isPublic(address) == isPublic)
    }

    @Test(arguments: [
        ("example.com", true), ("8.8.8.8", true), ("[2606:4700::1111]", true), ("localhost.example.com", true),
        ("LOCALHOST", false), ("a.localhost.", false), ("127.1", false), ("0177.0.0.1", false), ("2130706433", false),
        ("0x7f000001", false), ("[::1]", false), ("::1", false), ("[::ffff:10.0.0.1]", false), ("0", false),
    ])
    func hostsThatCannotBePublicAreTold(host: String, mayBe: Bool) {
        #expect(AddressRange.mayBePublic(host: host) == mayBe)
    }
}
