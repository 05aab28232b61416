#include "api/history_handlers.h"
#include "api/look_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {

// Verbs that change nothing.
namespace {

std::vector<Verb> looking_back() {
  return {
      {"timeline",
       "what the agents were doing when; of one agent: everything that happened",
       looks<timeline>(),
       {of_agent(positional("name", "NAME", "of this one, every event")), since("8h"),
        option("until", "TIME", "up to this time or age (default: now)"), json()},
       "pawl timeline --since 12h",
       "look"},
      {"alerts",
       "alerts sent, newest first",
       looks<alerts>(),
       {since("24h"), here(), json()},
       "pawl alerts --since 2d",
       "look",
       Across::gathered},
      {"report",
       "activity, lost time, interventions, open questions",
       looks<report>(),
       {since("12h"), here(), json()},
       "pawl report --since 12h",
       "look",
       Across::gathered},
  };
}

}  // namespace

std::vector<Verb> look_verbs() {
  std::vector<Verb> rows{
      {"ls",
       "list the agents",
       looks<ls>(),
       {flag("watch", "keep it on the screen, live", 'w'), here(), json()},
       "pawl ls -w",
       "look"},
      {"show",
       "everything about one agent",
       looks<show>(),
       {name_of_agent(), json()},
       "pawl show tests",
       "look"},
      {"why",
       "why Pawl thinks an agent is in its state: the evidence, with ages",
       looks<why>(),
       {name_of_agent(), positional("seq", "SEQ", "one event instead, by its number"), json()},
       "pawl why docs",
       "look"},
      {"screen",
       "an agent's screen as text",
       looks<screen>(),
       {name_of_agent(), flag("ansi", "with colours"),
        option("at", "TIME", "as it was then, from the recording: a time (RFC 3339) or age (2h)"),
        json()},
       "pawl screen tests --at 2h",
       "look"},
      {"logs",
       "what an agent printed, without escape sequences",
       looks<logs>(),
       {name_of_agent(), flag("follow", "go on as it grows", 'f'),
        option("lines", "N", "the last N lines only", 'n'), flag("raw", "the exact bytes")},
       "pawl logs tests -f -n 100",
       "look"},
      {"export",
       "write an agent's recording to a file for asciinema and other players (asciicast v2)",
       looks<export_recording>(),
       {name_of_agent(),
        required(positional("file", "FILE", "the file to write; - is the standard output")),
        flag("all", "every session, not only the last one"),
        flag("force", "replace the file if it exists")},
       "pawl export tests tests.cast",
       "look"},
      {"events",
       "what happened and why",
       looks<events>(),
       {flag("follow", "go on as it happens", 'f'),
        option("since", "SEQ|TIME", "after this event number, time (RFC 3339) or age (2h)"),
        of_agent(option("agent", "NAME", "of one agent only")), here(), json()},
       "pawl events -f --since 2h",
       "look",
       Across::followed},
      {"wait",
       "block until agents are in a state, all of them",
       looks<wait>(),
       {required(names_of_agents()), required(option("until", "STATE[,STATE…]", "which states")),
        option("timeout", "T", "give up after this long (90, 5m, 2h): exit code 124"), json()},
       "pawl wait tests --until exited,crashed --timeout 1h",
       "look",
       Across::awaited},
  };
  const auto back = looking_back();
  rows.insert(rows.end(), back.begin(), back.end());
  return rows;
}

}  // namespace pawl::api
