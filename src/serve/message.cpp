#include "serve/message.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace pawl::serve {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

bool plain_part(const std::string& part) {
  return part != "." && part != ".." && !control(part) &&
         part.find_first_of("/\\") == std::string::npos;
}

constexpr size_t kMaxQuery = 16;

}  // namespace

const std::string* Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return &value;
  return nullptr;
}

size_t Request::count(std::string_view name) const {
  return static_cast<size_t>(std::count_if(headers.begin(), headers.end(),
                                           [&](const Header& it) { return it.first == name; }));
}

std::optional<std::string> unescape(std::string_view text, bool plus) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += plus && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

static bool read_query(std::string_view text, Target& out) {
  for (const auto& pair : split(text, '&')) {
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    const auto key = unescape(std::string_view(pair).substr(0, equals), true);
    const auto value = equals == std::string::npos
                           ? std::optional<std::string>("")
                           : unescape(std::string_view(pair).substr(equals + 1), true);
    if (!key || !value || control(*key) || control(*value) || out.query.size() >= kMaxQuery)
      return false;
    if (!out.query.emplace(*key, *value).second) return false;  // said twice: which one is meant?
  }
  return true;
}

std::optional<Target> parse_target(std::string_view target) {
  if (target.empty() || target[0] != '/' || target.size() > kMaxHead) return std::nullopt;
  if (target.find('#') != std::string_view::npos) return std::nullopt;
  Target out;
  const size_t question = target.find('?');
  const std::string_view path =
      target.substr(1, question == target.npos ? target.npos : question - 1);
  if (question != target.npos && !read_query(target.substr(question + 1), out)) return std::nullopt;
  if (path.empty()) return out;
  for (const auto& raw : split(path, '/')) {
    const auto part = unescape(raw, false);
    if (!part || part->empty() || !plain_part(*part)) return std::nullopt;
    out.parts.push_back(*part);
  }
  return out;
}

std::optional<std::string> cookie(std::string_view header, std::string_view name) {
  std::optional<std::string> found;
  for (const auto& piece : split(header, ';')) {
    const std::string_view pair = trim(piece);
    const size_t equals = pair.find('=');
    if (equals == pair.npos || pair.substr(0, equals) != name) continue;
    if (found) return std::nullopt;
    found = std::string(pair.substr(equals + 1));
  }
  return found;
}

std::string media_type(std::string_view header) {
  return small(trim(header.substr(0, header.find(';'))));
}

bool lists(std::string_view header, std::string_view word) {
  for (const auto& piece : split(header, ','))
    if (media_type(piece) == word) return true;
  return false;
}

bool token_text(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kSigns.find(c) != kSigns.npos;
  });
}

std::string_view reason_of(int status) {
  switch (status) {
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return status < 500 ? "Refused" : "Failed";
  }
}

}  // namespace pawl::serve
