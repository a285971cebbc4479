// libavformat and libavcodec, and their macros that Swift cannot import.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

// A cast within the macro: Swift imports literals and their arithmetic only.
static inline int64_t cffmpeg_no_timestamp(void) { return AV_NOPTS_VALUE; }

// Function-like macros (FFERRTAG, MKTAG) within the macros.
static inline int cffmpeg_error_end_of_file(void) { return AVERROR_EOF; }
static inline int cffmpeg_error_exit(void) { return AVERROR_EXIT; }
static inline int cffmpeg_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int cffmpeg_error_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int cffmpeg_error_encoder_not_found(void) { return AVERROR_ENCODER_NOT_FOUND; }

// A function-like macro: errno to libav's sign.
static inline int cffmpeg_error_posix(int code) { return AVERROR(code); }
