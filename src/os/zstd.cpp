#include "os/zstd.h"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/result.h"

namespace pawl::os {
namespace {

constexpr int kLargestWindowLog = 24;  // 16 MiB: what wants more memory to be read is not ours
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";

struct FreeReader {
  void operator()(ZSTD_DCtx* reader) const { ZSTD_freeDCtx(reader); }
};
struct FreeWriter {
  void operator()(ZSTD_CCtx* writer) const { ZSTD_freeCCtx(writer); }
};

// In pieces of 128 KiB, until one is refused. Gives why it ends too early; empty: it does not.
template <class Visit>
std::string each_piece(std::string_view packed, Visit&& visit) {
  const std::unique_ptr<ZSTD_DCtx, FreeReader> reader(ZSTD_createDCtx());
  CHECK(reader);
  ZSTD_DCtx_setParameter(reader.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const size_t left = ZSTD_decompressStream(reader.get(), &out, &in);
    if (out.pos > 0 && !visit(std::string_view(piece).substr(0, out.pos))) return {};
    if (ZSTD_isError(left)) return std::string("damaged (") + ZSTD_getErrorName(left) + ")";
    if (in.pos < in.size) continue;
    if (left == 0) return {};
    if (out.pos < out.size) return "cut off";
  }
}

std::string too_large(uint64_t limit) {
  return "larger than " + std::to_string(limit) + " bytes";
}

struct Readable {
  uint64_t bytes = 0;
  std::string damage;
};

Readable readable(std::string_view packed, uint64_t limit) {
  Readable out;
  out.damage = each_piece(packed, [&](std::string_view piece) {
    out.bytes += piece.size();
    return out.bytes <= limit;
  });
  if (out.bytes > limit) out.damage = too_large(limit);
  return out;
}

}  // namespace

bool is_zstd(std::string_view begin) {
  return begin.starts_with(kMagic);
}

std::string zstd_frame(std::string_view text, int level) {
  const std::unique_ptr<ZSTD_CCtx, FreeWriter> writer(ZSTD_createCCtx());
  CHECK(writer);
  ZSTD_CCtx_setParameter(writer.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(writer.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const size_t bytes =
      ZSTD_compress2(writer.get(), packed.data(), packed.size(), text.data(), text.size());
  CHECK(!ZSTD_isError(bytes));
  packed.resize(bytes);
  return packed;
}

Unpacked zstd_text(std::string_view packed, size_t limit) {
  Unpacked out;
  bool fits = true;
  out.damage = each_piece(packed, [&](std::string_view piece) {
    fits = piece.size() <= limit - out.text.size();
    out.text += piece.substr(0, limit - out.text.size());
    return fits;
  });
  if (!fits) out.damage = too_large(limit);
  return out;
}

ZstdIndex zstd_index(std::string_view packed, uint64_t limit) {
  ZstdIndex index;
  if (packed.empty()) index.damage = "cut off";
  for (size_t at = 0; at < packed.size() && index.damage.empty();) {
    std::string_view frame = packed.substr(at);
    const size_t bytes = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
    const bool whole = !ZSTD_isError(bytes);
    if (whole) frame = frame.substr(0, bytes);
    const unsigned long long said = ZSTD_getFrameContentSize(frame.data(), frame.size());
    Readable plain{said, {}};
    if (!whole || said == ZSTD_CONTENTSIZE_UNKNOWN || said == ZSTD_CONTENTSIZE_ERROR)
      plain = readable(frame, limit - index.plain);
    index.damage = plain.damage;
    if (plain.bytes > limit - index.plain) {
      index.damage = too_large(limit);
      break;
    }
    index.frames.push_back({at, frame.size(), index.plain, plain.bytes});
    index.plain += plain.bytes;
    at += frame.size();
  }
  return index;
}

}  // namespace pawl::os
