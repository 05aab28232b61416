#pragma once
// The audit (store/audit.h), for whoever is not the daemon.

#include <string>
#include <string_view>

#include "store/audit.h"

namespace pawl::api {

using AuditReport = store::AuditReport;
using AuditVisit = store::AuditVisit;

// Of this home, which a daemon may write meanwhile; every entry is given to `visit`, up to the first that is wrong.
Result<AuditReport> audit_of(const std::string& home, const AuditVisit& visit);
// Of a file that was exported.
AuditReport audit_in(std::string_view lines, const AuditVisit& visit);

}  // namespace pawl::api
