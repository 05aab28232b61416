// The rows of `pawl inbox …` and `pawl archive …`.

#include "api/verb_parts.h"

namespace pawl::api {

std::vector<Verb> work_verbs() {
  return {
      {"inbox add",
       "work for an agent: it waits in its inbox, and a sleeping agent is started for it",
       Access::act,
       {name_of_agent(),
        {Form::positional, "text", "TEXT", "the work; '-' reads standard input"},
        option("from", "WHO", "who assigns it; the agent is told"),
        option("priority", "P", "high, normal (default) or low"),
        option("file", "FILE", "the work is described in this file", 'f'),
        json()},
       "pawl inbox add docs --from ci 'the links on the start page are dead'",
       "talk"},
      {"inbox ls",
       "what waits in an agent's inbox, and what it is working at",
       Access::look,
       {name_of_agent(), json()},
       "pawl inbox ls docs",
       "talk"},
      {"inbox done",
       "take a piece of work out of an inbox: somebody did it",
       Access::act,
       {{Form::positional, "id", "ID", "as inbox ls shows it", true}, json()},
       "pawl inbox done 20261115T221000.000Z.md",
       "talk"},
      {"archive ls",
       "the conversations that were put away for an agent",
       Access::look,
       {name_of_agent(), json()},
       "pawl archive ls docs",
       "look"},
      {"archive restore",
       "put a conversation back to where it was",
       Access::act,
       {name_of_agent(), {Form::positional, "id", "ID", "as archive ls shows it", true}, json()},
       "pawl archive restore docs 2026-11-15T021531Z-0f7c.jsonl",
       "control"},
  };
}

}  // namespace pawl::api
