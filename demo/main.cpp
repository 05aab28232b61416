// pawl-demo-agent: a scripted terminal program that behaves like a coding agent. There is no model
// in it and it touches no file but the one PAWL_DEMO_PROMPTS names (each prompt is appended): it
// exists so that Pawl can be shown, tested and measured without an account or a network.

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "agent.h"
#include "scenes.h"
#include "stream.h"

namespace demo {
namespace {

enum class Mode { scene, print, spin, echo };

struct Arguments {
  Mode mode = Mode::scene;
  Options options;
  PrintOptions print;
  double hz = 10;
};

int usage() {
  std::fprintf(
      stderr,
      "usage: pawl-demo-agent [--scene NAME] [--loop] [--speed X] [--alt] [--cols-aware]\n"
      "                       [--for SECONDS] [--exit N]\n"
      "       pawl-demo-agent --print BYTES [--seed N] [--rate BYTES_A_SECOND] [--exit N]\n"
      "       pawl-demo-agent --spin HZ [--for SECONDS] | --echo\n"
      "scenes: %s\n",
      scene_names().c_str());
  return 2;
}

bool parse(int argc, char** argv, Arguments& a) {
  using Text = const char*;
  const std::map<std::string_view, std::function<void()>> switches = {
      {"--loop", [&] { a.options.loop = true; }},
      {"--alt", [&] { a.options.panel.alternate = true; }},
      {"--cols-aware", [&] { a.options.panel.cols_aware = true; }},
      {"--echo", [&] { a.mode = Mode::echo; }},
  };
  const std::map<std::string_view, std::function<void(Text)>> values = {
      {"--scene", [&](Text v) { a.options.scene = v; }},
      {"--speed", [&](Text v) { a.options.speed = std::max(0.01, std::atof(v)); }},
      {"--for", [&](Text v) { a.options.seconds = std::atof(v); }},
      {"--exit", [&](Text v) { a.options.exit_code = std::atoi(v); }},
      {"--seed", [&](Text v) { a.print.seed = std::strtoull(v, nullptr, 10); }},
      {"--rate", [&](Text v) { a.print.rate = std::strtoull(v, nullptr, 10); }},
      {"--print",
       [&](Text v) {
         a.mode = Mode::print;
         a.print.bytes = std::strtoull(v, nullptr, 10);
       }},
      {"--spin",
       [&](Text v) {
         a.mode = Mode::spin;
         a.hz = std::atof(v);
       }},
  };
  for (int i = 1; i < argc; ++i) {
    if (const auto flag = switches.find(argv[i]); flag != switches.end()) {
      flag->second();
    } else if (const auto value = values.find(argv[i]); value != values.end() && i + 1 < argc) {
      value->second(argv[++i]);
    } else {
      return false;
    }
  }
  return scene(a.options.scene) != nullptr;
}

int run(const Arguments& a) {
  bool ok = true;
  switch (a.mode) {
    case Mode::scene:
      return play_scene(a.options);
    case Mode::print:
      ok = print_stream(a.print);
      break;
    case Mode::spin:
      ok = spin(a.hz, a.options.seconds);
      break;
    case Mode::echo:
      ok = echo_lines();
      break;
  }
  return ok ? a.options.exit_code : 1;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  demo::Arguments arguments;
  return demo::parse(argc, argv, arguments) ? demo::run(arguments) : demo::usage();
}
