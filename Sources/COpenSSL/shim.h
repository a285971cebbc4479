#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// An OSSL_PARAM keeps the pointer to its name. Swift imports the names, which are macros, as Strings, whose C form
// lives for one call only; here they are literals, which live for ever.

static inline OSSL_PARAM copenssl_kdf_digest_sha256(void) {
    return OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA2-256", 0);
}

static inline OSSL_PARAM copenssl_kdf_key(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)bytes, count);
}

static inline OSSL_PARAM copenssl_kdf_salt(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)bytes, count);
}

static inline OSSL_PARAM copenssl_kdf_info(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)bytes, count);
}

static inline OSSL_PARAM copenssl_mac_digest_sha256(void) {
    return OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA2-256", 0);
}

static inline OSSL_PARAM copenssl_rsa_modulus(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, (unsigned char *)bytes, count);
}

static inline OSSL_PARAM copenssl_rsa_exponent(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, (unsigned char *)bytes, count);
}

static inline OSSL_PARAM copenssl_ec_group_p256(void) {
    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
}

static inline OSSL_PARAM copenssl_ec_point(const void *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)bytes, count);
}

/// The selection for EVP_PKEY_fromdata, a macro that Swift does not import.
static inline int copenssl_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

#endif
