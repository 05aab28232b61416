#include "core/face.h"

#include "core/inside.h"

namespace pawl::core {

Engine::Engine(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet)
    : inside_(std::make_unique<Inside>(host, journal, std::move(options), std::move(fleet))) {}

Engine::~Engine() = default;

void Engine::recover(const Clock& now, Duration away) {
  inside_->recover(now, away);
}

void Engine::slept(const Clock& now, const Slept& gap) {
  inside_->slept(now, gap);
}

Done Engine::send(const Clock& now, SendAsked ask, const std::string& text) {
  return inside_->send(now, std::move(ask), text);
}

void Engine::drain() {
  inside_->drain();
}

void Engine::look_for_wakeup(const std::string& agent) {
  inside_->look_for_wakeup(agent);
}

std::vector<std::string> Engine::take_folders() {
  return inside_->take_folders();
}

std::vector<OverTask> Engine::take_finished() {
  return inside_->take_finished();
}

std::vector<LeasedTask> Engine::leased() const {
  return inside_->leased();
}

std::vector<LeasedTask> Engine::take_lease_ends() {
  return inside_->take_lease_ends();
}

std::set<std::string> Engine::take_recorded() {
  return inside_->take_recorded();
}

std::set<SessionId> Engine::writing(const std::string& agent) const {
  return inside_->writing(agent);
}

bool Engine::recall(const std::string& agent) {
  return inside_->recall(agent);
}

bool Engine::take_survey() {
  return inside_->take_survey();
}

void Engine::surveyed(const Clock& now, std::optional<model::Holdings> held) {
  inside_->surveyed(now, std::move(held));
}

const std::optional<model::HeldBytes>& Engine::held() const {
  return inside_->held();
}

const std::optional<model::Retention>& Engine::keep() const {
  return inside_->keep();
}

RequestId Engine::submit(Input input) {
  return inside_->submit(std::move(input));
}

void Engine::asked_by(model::Asker asker) {
  inside_->asked_by(std::move(asker));
}

RequestId Engine::next_request() {
  return inside_->next_request();
}

void Engine::turn(const Clock& now) {
  inside_->turn(now);
}

std::optional<MonoTime> Engine::wake_at() const {
  return inside_->wake_at();
}

std::vector<RunCommand> Engine::take_commands() {
  return inside_->take_commands();
}

std::vector<model::Event> Engine::take_alerts() {
  return inside_->take_alerts();
}

std::vector<Answer> Engine::take_answers() {
  return inside_->take_answers();
}

std::vector<Stranger> Engine::strangers() const {
  return inside_->strangers();
}

const model::Fleet& Engine::fleet() const {
  return inside_->fleet();
}

const std::optional<Error>& Engine::trouble() const {
  return inside_->trouble();
}

Done Engine::type(const Clock& now, const std::string& agent, std::string_view keys,
                  const std::string& where) {
  return inside_->type(now, agent, keys, where);
}

bool Engine::takes_keys(const std::string& agent) const {
  return inside_->takes_keys(agent);
}

Done Engine::resize(const Clock& now, const std::string& agent, Size size) {
  return inside_->resize(now, agent, size);
}

void Engine::hook(const Clock& now, const std::string& agent, SessionId session,
                  const std::string& runtime, std::string_view json) {
  inside_->hook(now, agent, session, runtime, json);
}

std::string Engine::stop_hook(const Clock& now, const std::string& agent, SessionId session,
                              const std::string& runtime, std::string_view json) {
  return inside_->stop_hook(now, agent, session, runtime, json);
}

const perceive::HookWord* Engine::hook_of(const std::string& agent) const {
  return inside_->hook_of(agent);
}

Showings& Engine::showings() {
  return inside_->showings();
}

const perceive::Catalog* Engine::catalog() const {
  return inside_->catalog();
}

void Engine::use_profiles(const Clock& now, perceive::Catalog profiles) {
  inside_->use_profiles(now, std::move(profiles));
}

const LiveTerminal* Engine::terminal(const std::string& agent) const {
  return inside_->terminal(agent);
}

const perceive::Tracker* Engine::tracker(const std::string& agent) const {
  return inside_->tracker(agent);
}

const std::string& Engine::home() const {
  return inside_->home();
}

const store::AgentFiles& Engine::files() const {
  return inside_->files();
}

store::Journal& Engine::journal() {
  return inside_->journal();
}

policy::Decision Engine::opinion(const Clock& now, const std::string& agent) const {
  return inside_->opinion(now, agent);
}

void Engine::flush(const Clock& now) {
  inside_->flush(now);
}

void Engine::flush_agent(const Clock& now, const std::string& agent) {
  inside_->flush_agent(now, agent);
}

}  // namespace pawl::core
