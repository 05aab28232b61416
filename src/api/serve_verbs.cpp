// The rows of what others see of the fleet over the network.

#include "api/act_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {

std::vector<Verb> serve_verbs() {
  return {
      {"serve",
       "the dashboard and the HTTP API; prints a link that works once",
       acts<serve>(),
       {option("listen", "ADDR:PORT", "where (default 127.0.0.1:8822); others can reach *:8822"),
        option("cert", "F", "your certificate, PEM (default: one signed by a CA of this machine)"),
        option("key", "F", "… and its key"),
        flag("ca", "print that CA, and how to install it on a computer or a phone"),
        flag("new-ca", "make another CA: the old one has to be replaced on every device"),
        flag("no-tls", "http instead of https, on this machine only"),
        flag("tls", "… and https again"),
        flag("no-control", "it only shows: nothing that types, starts or stops"),
        flag("control", "… and again everything"),
        many(option("name", "HOST", "another name it is reached by, such as a proxy's")),
        option("approvals", "HOW",
               "links in messages that answer one dialog: off, refuse, login or code"),
        option("public-url", "URL", "how those links begin, for a proxy: https://pawl.example"),
        flag("url", "another link for the server that runs"),
        flag("read-only", "the link is for somebody who only looks"),
        flag("new-token", "other tokens: revokes all existing links, cookies and tokens"),
        flag("sessions", "the browsers that are signed in"),
        option("revoke", "ID", "… sign one of them out, or all"),
        option("rename", "ID=NAME", "… call one of them so"),
        flag("stop", "end it"),
        json()},
       "pawl serve --url",
       "other"},
  };
}

}  // namespace pawl::api
