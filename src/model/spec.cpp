#include "model/spec.h"

#include "model/fields.h"

namespace pawl::model {
namespace {

struct Writer {
  Json out = Json::object();

  void operator()(const char* key, Written<Restart>& value) { out.set(key, value.text()); }
  template <class T>
  void operator()(const char* key, T& value) {
    if constexpr (requires { each_field(value, *this); }) {
      Writer inner;
      each_field(value, inner);
      out.set(key, std::move(inner.out));
    } else {
      out.set(key, Json(value));
    }
  }
};

struct Reader {
  const Json& in;

  void operator()(const char* key, std::string& value) { value = in[key].as_string(value); }
  void operator()(const char* key, Written<Restart>& value) {
    value = written_restart(in[key].as_string(value.text()));
  }
  void operator()(const char* key, bool& value) { value = in[key].as_bool(value); }
  void operator()(const char* key, double& value) { value = in[key].as_double(value); }
  void operator()(const char* key, int& value) { value = static_cast<int>(in[key].as_int(value)); }
  void operator()(const char* key, int64_t& value) { value = in[key].as_int(value); }
  void operator()(const char* key, uint16_t& value) {
    value = static_cast<uint16_t>(in[key].as_int(value));
  }
  void operator()(const char* key, std::vector<std::string>& value) {
    if (in[key].is_array()) value = in[key].as_strings();
  }
  template <class T>
  void operator()(const char* key, T& value) {
    if (in[key].is_object()) each_field(value, Reader{in[key]});
  }
};

}  // namespace

std::string AgentSpec::effective_mode() const {
  if (!mode.empty()) return mode;
  return prompt.empty() && prompt_file.empty() ? "paused" : "task-only";
}

Json to_json(const AgentSpec& spec) {
  Writer writer;
  writer.out.set("name", spec.name);
  AgentSpec copy = spec;  // each_field visits by reference for the readers' sake
  each_field(copy, writer);
  if (!spec.repairs.empty()) writer.out.set("repairs", spec.repairs);
  if (spec.adopted())
    writer.out.set("pane", Json::object({{"server", spec.pane.server},
                                         {"id", spec.pane.id},
                                         {"pid", spec.pane.pid},
                                         {"start_ticks", spec.pane.start_ticks}}));
  return std::move(writer.out);
}

AgentSpec spec_from_json(const Json& json) {
  AgentSpec spec;
  spec.name = json["name"].as_string();
  each_field(spec, Reader{json});
  spec.repairs = json["repairs"].as_strings();
  const Json& pane = json["pane"];
  if (pane.is_object())
    spec.pane = {pane["server"].as_string(), pane["id"].as_string(), pane["pid"].as_int(),
                 pane["start_ticks"].as_int()};
  return spec;
}

}  // namespace pawl::model
