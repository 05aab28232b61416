#include "api/audit.h"

namespace pawl::api {

Result<AuditReport> audit_of(const std::string& home, const AuditVisit& visit) {
  return store::read_audit(home + "/journal.db", visit);
}

AuditReport audit_in(std::string_view lines, const AuditVisit& visit) {
  return store::follow_audit(lines, visit);
}

}  // namespace pawl::api
