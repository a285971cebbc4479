// A plug-in for tests. What it does instead of Apple's secret step is made up: no device understands it.
//
// The key of [SK…R1] is the first half of SHA-256 over a label, the provisioning data and R2. In it, AES-128-CBC, are the
// session key (16 bytes), HU (20), R1 (44), and the first half of SHA-256 over these (16).

#include "FairPlayTestProvider.h"
#include "fairplay_provider.h"

#include <openssl/evp.h>
#include <string.h>

enum { KEY = 16, IV = 16, HU = PACKAGER_FAIRPLAY_HU_SIZE, R1 = PACKAGER_FAIRPLAY_R1_SIZE };
enum { SECRET = KEY + HU + R1, WRAPPED = IV + SECRET + 16 };

static int sha256(const packager_fairplay_bytes *pieces, int count, uint8_t digest[32]) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    for (int i = 0; done && i < count; i++) {
        done = EVP_DigestUpdate(context, pieces[i].bytes, pieces[i].count) == 1;
    }
    done = done && EVP_DigestFinal_ex(context, digest, NULL) == 1;
    EVP_MD_CTX_free(context);
    return done;
}

static int aes(const EVP_CIPHER *mode, int encrypts, const uint8_t *key, const uint8_t *iv, const uint8_t *in, int count,
               uint8_t *out) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    int done = context != NULL && EVP_CipherInit_ex(context, mode, NULL, key, iv, encrypts) == 1 &&
               EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
               EVP_CipherUpdate(context, out, &written, in, count) == 1 && written == count;
    EVP_CIPHER_CTX_free(context);
    return done;
}

static int32_t create_key(const packager_fairplay_request *request, packager_fairplay_answer *answer) {
    int uses_video = request->session_key == PACKAGER_FAIRPLAY_SESSION_KEY_VIDEO;
    const packager_fairplay_bytes *wrapped = uses_video ? &request->video_session_key_r1 : &request->session_key_r1;
    const packager_fairplay_bytes *r2 = uses_video ? &request->video_r2 : &request->r2;
    if (request->protocol_version != 1) return PACKAGER_FAIRPLAY_PROTOCOL_VERSION;
    if (request->provisioning_data.count == 0) return PACKAGER_FAIRPLAY_CERTIFICATE;
    if (wrapped->count != WRAPPED) return PACKAGER_FAIRPLAY_INTEGRITY;

    static const char label[] = "packager test provider";
    packager_fairplay_bytes derived_from[] = {
        {(const uint8_t *)label, sizeof label - 1}, request->provisioning_data, *r2};
    uint8_t key[32], secret[SECRET + 16], integrity[32];
    if (!sha256(derived_from, 3, key) ||
        !aes(EVP_aes_128_cbc(), 0, key, wrapped->bytes, wrapped->bytes + IV, sizeof secret, secret)) return -1;
    packager_fairplay_bytes checked = {secret, SECRET};
    if (!sha256(&checked, 1, integrity)) return -1;
    if (memcmp(integrity, secret + SECRET, 16) != 0) return PACKAGER_FAIRPLAY_INTEGRITY;
    if (!uses_video && (request->integrity.count != 16 || memcmp(integrity, request->integrity.bytes, 16) != 0)) {
        return PACKAGER_FAIRPLAY_INTEGRITY;
    }

    answer->content_key_tag = 0x58b38165af0e3d5a;
    answer->content_key_count = IV + KEY;
    memcpy(answer->content_key, request->content_iv.bytes, IV);
    if (!aes(EVP_aes_128_ecb(), 1, secret, NULL, request->content_key.bytes, KEY, answer->content_key + IV)) return -1;
    memcpy(answer->hu, secret + KEY, HU);
    memcpy(answer->r1, secret + KEY + HU, R1);
    answer->session_key = request->session_key;
    answer->r1_session_key = request->session_key;
    return PACKAGER_FAIRPLAY_OK;
}

static const packager_fairplay_spc3 spc3 = {
    "protocol of test", "seed of the key.", "seed of the iv..", "seed of the mac."};

const packager_fairplay_provider *packager_fairplay_get_provider(void) {
    static const packager_fairplay_provider provider = {
        PACKAGER_FAIRPLAY_PROVIDER_VERSION, "packager test provider", &spc3, create_key};
    return &provider;
}

const void *fairplay_test_provider(void) {
    return packager_fairplay_get_provider();
}
