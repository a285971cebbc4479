import ContentProtection
import MediaCore
import NIOHTTP1
import Testing

@testable import ObjectStores

/// Signatures as AWS has published them: aws-sig-v4-test-suite, and the examples in the documentation of S3.
@Suite struct RequestSignerTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var method = HTTPMethod.GET
        var path = "/"
        var query: [[String]] = []
        var fields: HTTPHeaders = ["Host": "example.amazonaws.com", "X-Amz-Date": "20150830T123600Z"]
        var body = ""
        var signature: String

        var testDescription: String { name }
    }

    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let ofS3: HTTPHeaders = [
        "Host": "examplebucket.s3.amazonaws.com", "x-amz-date": "20130524T000000Z", "x-amz-content-sha256": emptyDigest,
    ]

    private static func fields(_ own: [(String, String)]) -> HTTPHeaders {
        var fields: HTTPHeaders = ["Host": "example.amazonaws.com", "X-Amz-Date": "20150830T123600Z"]
        fields.add(contentsOf: own)
        return fields
    }

    private static let suite = [
        Vector(name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "post-vanilla",
            method: .POST,
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            name: "get-vanilla-query-order-key-case",
            query: [["Param2", "value2"], ["Param1", "value1"]],
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        Vector(
            name: "get-unreserved",
            path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
        ),
        Vector(
            name: "get-header-value-trim",
            fields: fields([("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")]),
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
        ),
        Vector(
            name: "get-header-key-duplicate",
            fields: fields([("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")]),
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
        ),
        Vector(
            name: "post-x-www-form-urlencoded",
            method: .POST,
            fields: fields([("Content-Type", "application/x-www-form-urlencoded")]),
            body: "Param1=value1",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
    ]

    private static let examplesOfS3 = [
        Vector(
            name: "PUT Object",
            method: .PUT,
            path: "/test%24file.text",
            fields: [
                "Host": "examplebucket.s3.amazonaws.com", "Date": "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-date": "20130524T000000Z", "x-amz-storage-class": "REDUCED_REDUNDANCY",
                "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            ],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Vector(
            name: "GET Bucket Lifecycle",
            query: [["lifecycle", ""]],
            fields: ofS3,
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Vector(
            name: "GET Bucket (List Objects)",
            query: [["max-keys", "2"], ["prefix", "J"]],
            fields: ofS3,
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ]

    private static func authorization(
        _ vector: Vector,
        _ service: String,
        secret: String,
        at time: String
    ) throws -> String {
        let digest = try MessageDigest.sha256.digest(Array(vector.body.utf8)).hex
        let request = RequestSigner.Request(
            method: vector.method,
            path: vector.path,
            query: vector.query.map { ($0[0], $0[1]) },
            fields: vector.fields,
            bodyDigest: digest
        )
        let key = try #require(AccessKey(id: "AKIDEXAMPLE", secret: secret))
        let signer = RequestSigner(region: "us-east-1", service: service)
        return try signer.authorization(of: request, by: key, at: SigningTime(#require(MediaTime(iso8601: time))))
    }

    @Test(arguments: suite)
    func requestsAreSignedAsInTheTestSuite(vector: Vector) throws {
        let text = try Self.authorization(
            vector,
            "service",
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            at: "2015-08-30T12:36:00Z"
        )
        #expect(text.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "))
        #expect(text.hasSuffix(", Signature=\(vector.signature)"), "\(text)")
    }

    @Test(arguments: examplesOfS3)
    func requestsOfS3AreSignedAsInItsDocumentation(vector: Vector) throws {
        let text = try Self.authorization(
            vector,
            "s3",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            at: "2013-05-24T00:00:00Z"
        )
        #expect(text.hasSuffix(", Signature=\(vector.signature)"), "\(text)")
    }

    @Test(arguments: [
        ("2015-08-30T12:36:00.999Z", "20150830T123600Z"), ("2024-02-29T23:59:59Z", "20240229T235959Z"),
    ])
    func timesAreWholeSeconds(time: String, text: String) throws {
        let signing = SigningTime(try #require(MediaTime(iso8601: time)))
        #expect(signing.text == text && signing.day == String(text.prefix(8)))
    }

    @Test func secretsAppearInNoDump() throws {
        let key = try #require(AccessKey(id: "AKIDEXAMPLE", secret: "hunter2", sessionToken: "swordfish"))
        var dumped = ""
        dump(key, to: &dumped)
        for text in [dumped, "\(key)", String(reflecting: key), "\([key])"] {
            #expect(!text.contains("hunter2") && !text.contains("swordfish"), "\(text)")
        }
    }

    @Test(arguments: ["", "a b", "a\nb", "a\r\nX: y", "ä", String(repeating: "x", count: 2000)])
    func whatNoFieldCanHaveIsNoKey(secret: String) {
        #expect(AccessKey(id: "AKID", secret: secret) == nil)
        #expect(AccessKey(id: secret, secret: "s") == nil)
    }
}
