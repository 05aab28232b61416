#include "bus/joining.h"

namespace pawl::bus {
namespace {

constexpr int64_t kNoSuchStream = 10059, kNoPeers = 10005, kNoCluster = 10074, kTaken = 10058;
constexpr int kNobody = 503, kCopies = 3;

}  // namespace

Joining::Joining(Questions& questions, std::function<void(const Result<std::string>&)> done)
    : questions_(questions), done_(std::move(done)) {}

void Joining::begin(std::vector<Stream> streams, bool cluster, const std::string& who) {
  streams_ = std::move(streams);
  cluster_ = cluster;
  who_ = who;
  note_.clear();
  fine_ = 0;
  going_ = true;
  questions_.ask("$JS.API.INFO", {}, "", kAnswersFirst,
                 [this](const Answer& answer) { asked(answer); });
}

void Joining::clear() {
  going_ = false;
}

std::optional<Error> Joining::trouble_in(const Answer& answer) const {
  if (answer.how == Answer::How::denied)
    return Error{"the bus does not let us be " + who_,
                 "use the credentials that `pawl fleet enroll` made for this node and fleet"};
  if (answer.how != Answer::How::came)
    return Error{"the bus does not answer",
                 "see what nats-server does; pawl tries again by itself"};
  if (answer.heard.status == kNobody)
    return Error{
        "the bus keeps nothing: JetStream is not there",
        "write  jetstream { store_dir: \"/var/lib/nats\" }  into nats-server's configuration; "
        "in a cluster, see that most of its servers run"};
  return std::nullopt;
}

void Joining::asked(const Answer& answer) {
  if (!going_) return;
  if (const auto trouble = trouble_in(answer)) return over(tl::unexpected(*trouble));
  auto json = Json::parse(answer.heard.value);
  if (!json) return over(fail("what the bus says makes no sense"));
  if (const auto refusal = refusal_in(*json)) return over(fail(sentence_of(*refusal)));
  for (size_t at = 0; at < streams_.size() && going_; ++at) look(at);
}

void Joining::look(size_t at) {
  questions_.ask("$JS.API.STREAM.INFO." + streams_[at].name, {}, "", kAnswersFirst,
                 [this, at](const Answer& answer) { looked(at, answer); });
}

void Joining::looked(size_t at, const Answer& answer) {
  if (!going_) return;
  if (const auto trouble = trouble_in(answer)) return over(tl::unexpected(*trouble));
  auto json = Json::parse(answer.heard.value);
  if (!json) return over(fail("what the bus says makes no sense"));
  const auto refusal = refusal_in(*json);
  if (!refusal) return fine(at, *json);
  if (refusal->code != kNoSuchStream) return over(fail(sentence_of(*refusal)));
  make(at, cluster_ ? kCopies : 1);
}

void Joining::make(size_t at, int replicas) {
  questions_.ask("$JS.API.STREAM.CREATE." + streams_[at].name, {},
                 wish_of(streams_[at], replicas).dump(), kMakesStream,
                 [this, at, replicas](const Answer& answer) { made(at, replicas, answer); });
}

void Joining::made(size_t at, int replicas, const Answer& answer) {
  if (!going_) return;
  if (const auto trouble = trouble_in(answer)) return over(tl::unexpected(*trouble));
  auto json = Json::parse(answer.heard.value);
  if (!json) return over(fail("what the bus says makes no sense"));
  const auto refusal = refusal_in(*json);
  if (!refusal) return fine(at, *json);
  if (refusal->code == kTaken) return look(at);  // another node made it in between
  if (replicas > 1 && (refusal->code == kNoPeers || refusal->code == kNoCluster))
    return make(at, 1);
  over(fail(sentence_of(*refusal)));
}

void Joining::fine(size_t at, const Json& answer) {
  if (auto as_it_should = check(streams_[at], answer["config"]); !as_it_should)
    return over(tl::unexpected(as_it_should.error()));
  if (cluster_ && answer["config"]["num_replicas"].as_int() < kCopies)
    note_ = "the cluster keeps what it has on one server only: three are needed for copies";
  if (++fine_ == streams_.size()) over(note_);
}

void Joining::over(const Result<std::string>& how) {
  going_ = false;
  done_(how);
}

}  // namespace pawl::bus
