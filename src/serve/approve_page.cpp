#include "serve/approve_page.h"

#include <fmt/core.h>

#include "base/markup.h"
#include "base/text.h"
#include "os/digest.h"

namespace pawl::serve {
namespace {

constexpr size_t kMaxForm = 4096;

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1rem;"
    "color:#1a1a1a;background:#fff}"
    "h1{font-size:1.25rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f2f2f2;"
    "padding:.75rem;border-radius:.4rem;max-height:50vh;overflow:auto}"
    "button{display:block;width:100%;margin:.6rem 0;padding:.8rem;font:inherit;text-align:left;"
    "border:2px solid #8a5a00;border-radius:.5rem;background:#fff;color:#1a1a1a}"
    "button.no{border-color:#1f5fae}button small{display:block;color:#555}"
    "label{display:block;margin:1rem 0 .3rem}input{font:inherit;padding:.6rem;width:12rem}"
    ".note{border-left:.3rem solid #1f5fae;padding:.3rem .8rem}.bad{border-color:#b00020}"
    "footer{margin-top:2rem;color:#555;font-size:.875rem}"
    "@media(prefers-color-scheme:dark){body{background:#141414;color:#eee}pre{background:#242424}"
    "button{background:#1d1d1d;color:#eee}button small,footer{color:#b5b5b5}"
    "input{background:#1d1d1d;color:#eee;border:1px solid #777}}";

std::string base64(std::string text) {  // of what base64url() gave
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// Our one style, forms to ourselves, and nothing else.
std::string policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'self'; "
      "frame-ancestors 'none'",
      base64(os::base64url(os::sha256(kStyle))));
}

// Also inside the quotes of an attribute. What steers a terminal is left out.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : escape_markup(text)) {
    if (c == '"')
      out += "&quot;";
    else if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

std::string row_html(const ApproveRow& row) {
  if (!row.offered)
    return fmt::format("<p>{}. {} <small>({})</small></p>\n", row.number, escaped(row.text),
                       escaped(row.meaning));
  return fmt::format("<button name=\"row\" value=\"{}\"{}>{}<small>{}</small></button>\n",
                     row.number, row.refuses ? " class=\"no\"" : "", escaped(row.text),
                     escaped(row.meaning));
}

std::string form_html(const ApprovePage& page) {
  std::string out =
      fmt::format("<form method=\"post\" action=\"/approve/{}\">\n", escaped(page.link));
  if (page.takes_codes)
    out +=
        "<label for=\"code\">Code, to permit something. It is in the message that another channel "
        "got. A browser that is signed in needs none.</label>\n"
        "<input id=\"code\" name=\"code\" inputmode=\"numeric\" autocomplete=\"one-time-code\" "
        "maxlength=\"20\">\n";
  for (const auto& row : page.rows) out += row_html(row);
  return out + "</form>\n";
}

std::string who_may(Approve approve) {
  if (approve == Approve::refuse)
    return "Here one can only refuse. For the rest open the dashboard.";
  return approve == Approve::code
             ? "Refusing needs nothing more. Permitting needs the code, or a browser that is "
               "signed "
               "in as operator (pawl serve --url)."
             : "Refusing needs nothing more. Permitting needs a browser that is signed in as "
               "operator (pawl serve --url).";
}

}  // namespace

Response to_response(const ApprovePage& page, int status) {
  std::string body = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"robots\" content=\"noindex\"><title>{} asks</title><style>{}</style></head>\n"
      "<body><main>\n<h1>{}{}</h1>\n",
      escaped(page.agent), kStyle, escaped(page.agent),
      page.question.empty() ? "" : " asks: " + escaped(page.question));
  if (!page.note.empty())
    body += fmt::format("<p class=\"note{}\" role=\"{}\">{}</p>\n", page.bad ? " bad" : "",
                        page.bad ? "alert" : "status", escaped(page.note));
  if (!page.subject.empty())
    body += fmt::format("<pre tabindex=\"0\" aria-label=\"what it is about\">{}</pre>\n",
                        escaped(page.subject));
  if (!page.rows.empty()) body += form_html(page) + "<p>" + who_may(page.approve) + "</p>\n";
  body += "</main><footer>" + escaped(page.machine);
  if (!page.rows.empty()) body += " · works once, until " + escaped(page.until);
  Response out;
  out.status = status;
  out.type = "text/html; charset=utf-8";
  out.body = body + "</footer></body></html>\n";
  // The link is a secret, and a form's Origin is only sent with some referrer policy.
  out.headers = {{"content-security-policy", policy()}, {"referrer-policy", "same-origin"}};
  return out;
}

std::optional<std::map<std::string, std::string>> form_of(const std::string& body) {
  std::map<std::string, std::string> out;
  if (body.size() > kMaxForm) return std::nullopt;
  for (const auto& pair : split(body, '&')) {
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    const auto name = unescape(pair.substr(0, equals), true);
    const auto value = unescape(equals == pair.npos ? "" : pair.substr(equals + 1), true);
    if (!name || !value || !out.emplace(*name, *value).second) return std::nullopt;
  }
  return out;
}

}  // namespace pawl::serve
