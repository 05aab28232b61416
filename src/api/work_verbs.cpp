// The rows of `pawl inbox …` and `pawl archive …`.

#include "api/verb_parts.h"
#include "api/work_handlers.h"

namespace pawl::api {

std::vector<Verb> work_verbs() {
  return {
      {"inbox add",
       "work for an agent: it waits in its inbox, and a sleeping agent is started for it",
       acts<inbox_add>(May::own_inbox),
       {of_agent(positional("name", "NAME", "the agent")),
        positional("text", "TEXT", "the work; '-' reads standard input"),
        option("fleet", "QUEUE",
               "for whichever machine of the fleet takes from this queue; no NAME"),
        option("from", "WHO", "who assigns it; the agent is told"),
        option("priority", "P", "high, normal (default) or low"),
        option("file", "FILE", "the work is described in this file", 'f'), json()},
       "pawl inbox add docs --from ci 'the links on the start page are dead'",
       "talk"},
      {"inbox ls",
       "what waits in an agent's inbox, and what it is working at",
       looks<inbox_ls>(),
       {name_of_agent(), json()},
       "pawl inbox ls docs",
       "talk"},
      {"inbox done",
       "take a piece of work out of an inbox: somebody did it",
       acts<inbox_done>(May::everybody),
       {required(positional("id", "ID", "as inbox ls shows it")), json()},
       "pawl inbox done 20261115T221000.000Z.md",
       "talk"},
      {"archive ls",
       "the conversations that were put away for an agent",
       looks<archive_ls>(),
       {name_of_agent(), json()},
       "pawl archive ls docs",
       "look"},
      {"archive restore",
       "put a conversation back to where it was",
       acts<archive_restore>(),
       {name_of_agent(), required(positional("id", "ID", "as archive ls shows it")), json()},
       "pawl archive restore docs 2026-11-15T021531.204Z-0f7c.jsonl",
       "control"},
  };
}

}  // namespace pawl::api
