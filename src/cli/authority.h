#pragma once
// `pawl serve --ca`: what a person reads about the CA of this machine, and how they install it. Pure; serve.cpp prints it.

#include <string>

#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// `ca`: the daemon's answer (serve/web_server, authority()). The QR code is there for terminals with colours only.
std::string authority_text(const Json& ca, const Look& look);

// "3fa9…" → "3F:A9:…", as phones and browsers show it.
std::string fingerprint_text(const std::string& hex);

}  // namespace pawl::cli
