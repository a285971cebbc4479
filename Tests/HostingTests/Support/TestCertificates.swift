/// Certificates of `localhost` that sign themselves, for tests alone.
///
/// Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days …`.
enum TestCertificates {
    /// A certificate that ends in 2036.
    static let first = """
        -----BEGIN CERTIFICATE-----
        MIIBfDCCASOgAwIBAgIUHg9/0xjCyolj+wMcli9xuyBqSZ8wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNzAxMjYxNloXDTM2MTEyNDAx
        MjYxNlowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEYZBZSC9dKVf51IHwyUXP9QRVJJ/ufiziqtwK+rhJT3pygWUr1crC6dLM
        7Ijic8QsyIpJyTJYHZYCCu7KQDCDmqNTMFEwHQYDVR0OBBYEFAZwtGADk+rbydEg
        a1ayv/Wc07+sMB8GA1UdIwQYMBaAFAZwtGADk+rbydEga1ayv/Wc07+sMA8GA1Ud
        EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgcWb3X7lOpcsVx/rEnawdvvmk
        +PWSAH7Ifw1WcM/vJX4CIBqA+BStyAewsli/LmHdFAlXKCXvbhMvSc1RCFw6ecqg
        -----END CERTIFICATE-----

        """

    /// A certificate of the same key that ends on 20 January 2027, less than five days after the time of
    /// ``StoppedClock``.
    static let ending = """
        -----BEGIN CERTIFICATE-----
        MIIBfTCCASOgAwIBAgIUIPVwq51uXec5bc1bYGE0WYj0VgowCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNzAxMjYzMloXDTI3MDEyMDAx
        MjYzMlowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEYZBZSC9dKVf51IHwyUXP9QRVJJ/ufiziqtwK+rhJT3pygWUr1crC6dLM
        7Ijic8QsyIpJyTJYHZYCCu7KQDCDmqNTMFEwHQYDVR0OBBYEFAZwtGADk+rbydEg
        a1ayv/Wc07+sMB8GA1UdIwQYMBaAFAZwtGADk+rbydEga1ayv/Wc07+sMA8GA1Ud
        EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOtfxRw/HWZT108PZRC6J9mc
        3pgNOXIpWohpAPxYiFtqAiAxJd2byY5DiWQhf2j5LcIuLoVOlhwdENd4+kCZMCxH
        og==
        -----END CERTIFICATE-----

        """

    /// The key of both.
    static let firstKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMVTN2PiRwB7H5U7n
        LGO9tTQAfueZK7ZBVcj8UO4OM86hRANCAARhkFlIL10pV/nUgfDJRc/1BFUkn+5+
        LOKq3Ar6uElPenKBZSvVysLp0szsiOJzxCzIiknJMlgdlgIK7spAMIOa
        -----END PRIVATE KEY-----

        """

    /// A certificate of another key that ends in 2037.
    static let second = """
        -----BEGIN CERTIFICATE-----
        MIIBfTCCASOgAwIBAgIUYSCgBRU87dO7IFZ6lEASoxtEzZUwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNzAxMjYxNloXDTM3MDExMzAx
        MjYxNlowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEjA7lxS0l8KStwdYHLH5437D9dehmhC2lakmJcFdjv01cAtI1lzM0VW4d
        Dc6vsSs3hLcCCOkqmLpepIhAfUDX26NTMFEwHQYDVR0OBBYEFDmIGmcBAbq77m0h
        470jsC8X/ad5MB8GA1UdIwQYMBaAFDmIGmcBAbq77m0h470jsC8X/ad5MA8GA1Ud
        EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAKV95aqIJ2AJglJeBpuzfbWi
        8UbxQOkYRxvHINbBLWPSAiBehuUiPDTjLRMnFa7ffM+/PfpHersDrMWoFc0mOfZI
        Uw==
        -----END CERTIFICATE-----

        """

    static let secondKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOtgEnpm+V2LSNaeb
        yaLbDNeRYjE9TDIY2tQvVnLfo8uhRANCAASMDuXFLSXwpK3B1gcsfnjfsP116GaE
        LaVqSYlwV2O/TVwC0jWXMzRVbh0Nzq+xKzeEtwII6SqYul6kiEB9QNfb
        -----END PRIVATE KEY-----

        """
}
