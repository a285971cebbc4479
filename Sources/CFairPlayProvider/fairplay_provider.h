#ifndef PACKAGER_FAIRPLAY_PROVIDER_H
#define PACKAGER_FAIRPLAY_PROVIDER_H

// The interface of a plug-in for the key security module: the secret step of FairPlay Streaming.
//
// A plug-in is a shared library that exports one function, packager_fairplay_get_provider. It is usually a few lines of C
// around the library of Apple's server SDK, which knows how the session key of a request is unwrapped and how a content
// key is wrapped in it. Nothing of that is in this program.
//
// Ownership: the caller owns all that a request points to, and the answer. Both are good until create_key returns; a
// plug-in copies what it keeps, and frees nothing of them. A provider lives as long as the process, which never unloads it.
//
// Threads: create_key is called by several threads at once, without a lock.
//
// Secrets: content keys come in. They and what is derived from them belong in no log and no file.

#include <stddef.h>
#include <stdint.h>

// The version of this interface. A provider of another version is refused.
#define PACKAGER_FAIRPLAY_PROVIDER_VERSION 1

enum {
    PACKAGER_FAIRPLAY_R1_SIZE = 44,
    PACKAGER_FAIRPLAY_HU_SIZE = 20,
    PACKAGER_FAIRPLAY_KEY_ROOM = 1024,
};

// The results of create_key. Other numbers are reported to the operator as they are.
enum {
    PACKAGER_FAIRPLAY_OK = 0,
    // [SK…R1] has another integrity value inside than beside it.
    PACKAGER_FAIRPLAY_INTEGRITY = -42589,
    // The provider does not support the protocol version of the device.
    PACKAGER_FAIRPLAY_PROTOCOL_VERSION = -42590,
    // The provisioning data is not that of the certificate.
    PACKAGER_FAIRPLAY_CERTIFICATE = -42605,
};

// Bytes of the caller; `bytes` may be NULL where `count` is 0.
typedef struct packager_fairplay_bytes {
    const uint8_t *bytes;
    size_t count;
} packager_fairplay_bytes;

// The media that the content key protects, where session keys depend on it.
enum {
    PACKAGER_FAIRPLAY_CONTENT_VIDEO = 1,
    PACKAGER_FAIRPLAY_CONTENT_AUDIO = 3,
};

// Session keys of a device: the generic one, and that of its video decoder.
enum {
    PACKAGER_FAIRPLAY_SESSION_KEY_GENERIC = 1,
    PACKAGER_FAIRPLAY_SESSION_KEY_VIDEO = 2,
};

typedef struct packager_fairplay_request {
    // SHA-1 of the certificate in DER, whichever the version of the SPC: 20 bytes.
    packager_fairplay_bytes certificate_hash;
    // The provisioning data of this certificate, byte for byte; may be empty.
    packager_fairplay_bytes provisioning_data;
    // Values of TLLVs of the SPC: [SK…R1] with its IV (112 bytes), its integrity (16) and R2 (21).
    packager_fairplay_bytes session_key_r1;
    packager_fairplay_bytes integrity;
    packager_fairplay_bytes r2;
    // The same for the session key of the video decoder, at most 256 and 64 bytes; empty where the device sent none.
    packager_fairplay_bytes video_session_key_r1;
    packager_fairplay_bytes video_r2;
    // Key formats that the device takes, eight bytes each, big-endian; empty for one that knows sixteen-byte keys only.
    packager_fairplay_bytes key_formats;
    // 16 bytes each.
    packager_fairplay_bytes content_key;
    packager_fairplay_bytes content_iv;
    // The protocol version that the device used.
    uint32_t protocol_version;
    uint32_t content_type;
    // The session key to use: that of the video decoder is asked for only where the device sent one.
    uint32_t session_key;
} packager_fairplay_request;

// All zeros when create_key is called.
typedef struct packager_fairplay_answer {
    // The TLLV of the CKC that carries the content key: its tag, and `content_key_count` bytes of value.
    uint64_t content_key_tag;
    uint8_t content_key[PACKAGER_FAIRPLAY_KEY_ROOM];
    size_t content_key_count;
    uint8_t r1[PACKAGER_FAIRPLAY_R1_SIZE];
    // Names the device, without a relation to its serial number.
    uint8_t hu[PACKAGER_FAIRPLAY_HU_SIZE];
    // The session key that the content key is wrapped in, and the one that R1 came with.
    uint32_t session_key;
    uint32_t r1_session_key;
} packager_fairplay_answer;

// How SPCs of version 3 are opened, 16 bytes each: Apple's SDK has them.
typedef struct packager_fairplay_spc3 {
    uint8_t protocol_version[16];
    // Encrypted under the master key of an SPC, they give its key, its IV and the key of its MAC.
    uint8_t key_seed[16];
    uint8_t iv_seed[16];
    uint8_t integrity_seed[16];
} packager_fairplay_spc3;

typedef struct packager_fairplay_provider {
    // PACKAGER_FAIRPLAY_PROVIDER_VERSION as the plug-in was built with it.
    uint32_t version;
    // For operators, in UTF-8.
    const char *name;
    // NULL where SPCs of version 3 are to be refused.
    const packager_fairplay_spc3 *spc3;
    // Checks the integrity of [SK…R1], and wraps the content key for the device.
    int32_t (*create_key)(const packager_fairplay_request *request, packager_fairplay_answer *answer);
} packager_fairplay_provider;

// The one function that a plug-in exports. It returns NULL if the plug-in is not ready, which is reported.
const packager_fairplay_provider *packager_fairplay_get_provider(void);

#endif
