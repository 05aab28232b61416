#pragma once
// A QR code (ISO/IEC 18004) of a short text, for a phone's camera: bytes, error correction L, versions 1 to 6. Pure.
// Our own, because Debian's libqrencode has no static library for the container image. `pawl serve --ca` draws one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

inline constexpr size_t kQrBytes = 134;  // what version 6 holds

// True: dark. Square, without the quiet zone around it.
using QrCode = std::vector<std::vector<bool>>;

// Nothing: the text is too long.
std::optional<QrCode> qr_code(std::string_view text);

// For a terminal with colours: two rows in one, black on white whatever the terminal's own colours are, with a quiet zone of four.
std::string qr_drawn(const QrCode& code);

}  // namespace pawl::cli
