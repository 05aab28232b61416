#include "serve/exchange.h"

#include "api/roles.h"
#include "serve/guard.h"

namespace pawl::serve {
namespace {

int status_of(const Error& error) {
  if (error.exit_code == 2) return 400;
  if (error.exit_code == api::kNotAllowed) return 403;
  return error.exit_code == 124 ? 504 : 409;
}

Response failed(const Error& error) {
  return refusal(status_of(error), error.what, error.fix, error.exit_code);
}

// {"results": [one]} of a verb that could have been for several: an error is the answer's own.
std::optional<Response> single_failure(const Json& result) {
  const Json& results = result["results"];
  if (results.items().size() != 1 || results.items()[0]["ok"].as_bool(true)) return std::nullopt;
  return refusal(409, results.items()[0]["error"].as_string(), "", 1);
}

// One line of a header: what it names may have any letters.
std::string header_line(std::string text) {
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

bool signed_out(const EventReader& reader) {
  return reader.credentials->signed_out(reader.session);
}

}  // namespace

void VerbCall::begin(const Clock& now, const Json& request) {
  conversation_.receive(now, {api::Kind::json, request.dump()});
}

Response VerbCall::answer_of(const Result<Json>& result) const {
  if (!result) return failed(result.error());
  if (auto failure = single_failure(*result)) return *failure;
  Response out;
  out.status = makes_ ? 201 : 200;
  out.body = result->dump();
  if (kind_ != Route::Kind::text) return out;
  out.type = "text/plain; charset=utf-8";
  out.body = text_;
  if (const auto& notice = (*result)["notice"]; notice.is_string())
    out.headers.emplace_back("pawl-notice", header_line(notice.as_string()));
  return out;
}

std::optional<Response> VerbCall::take() {
  frames_.feed(conversation_.take_output());
  while (true) {
    auto frame = frames_.next();
    if (!frame || !*frame) return std::nullopt;
    if ((*frame)->kind == api::Kind::output) {
      text_ += (*frame)->payload;
      if (text_.size() > kMaxText) text_.erase(0, text_.size() - kMaxText);
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (json && json->has("ok")) return answer_of(api::result_of(*json));
  }
}

std::optional<Response> VerbCall::follow(const Clock& now,
                                         const std::vector<core::Answer>& answers) {
  for (const auto& answer : answers) conversation_.answered(now, answer);
  conversation_.pump(now, 1u << 20);
  auto response = take();
  return response && after ? after(*response) : response;
}

Exchange::Exchange(EventReader reader) : doing_(std::move(reader)) {
  head_.type = "text/event-stream; charset=utf-8";
}

void Exchange::follow(const Clock& now, const std::vector<core::Answer>& answers) {
  auto* call = std::get_if<std::unique_ptr<VerbCall>>(&doing_);
  if (!call) return;
  if (auto response = (*call)->follow(now, answers)) doing_ = std::move(*response);
}

std::optional<MonoTime> Exchange::wake_at() const {
  if (const auto* call = std::get_if<std::unique_ptr<VerbCall>>(&doing_)) return (*call)->wake_at();
  if (const auto* reader = std::get_if<EventReader>(&doing_))
    return reader->feed->has_more(reader->at) ? std::optional(reader->next) : reader->hello;
  return std::nullopt;
}

const Response* Exchange::response() const {
  if (streams()) return &head_;
  return std::get_if<Response>(&doing_);
}

bool Exchange::wants_views() const {
  const auto* reader = std::get_if<EventReader>(&doing_);
  return reader && reader->at.views;
}

bool Exchange::lost() const {
  const auto* reader = std::get_if<EventReader>(&doing_);
  return reader && (reader->at.lost || signed_out(*reader));
}

bool Exchange::has_more(const Clock& now) const {
  const auto* reader = std::get_if<EventReader>(&doing_);
  return reader && (signed_out(*reader) || !reader->hello || *reader->hello <= now.mono ||
                    (reader->next <= now.mono && reader->feed->has_more(reader->at)));
}

void Exchange::more(const Clock& now, std::string& out, size_t room) {
  auto* reader = std::get_if<EventReader>(&doing_);
  if (!reader || signed_out(*reader)) return;
  if (!reader->hello || *reader->hello <= now.mono) {
    reader->hello = now.mono + kHelloEvery;
    const Json hello =
        Json::object({{"last", reader->feed->last().value}, {"now", rfc3339(now.wall)}});
    out += "event: hello\ndata: " + hello.dump() + "\n\n";
  }
  reader->next = now.mono + reader->feed->pace();
  (void)reader->feed->read(reader->at, out, room);  // a journal that cannot be read: tried again
}

}  // namespace pawl::serve
