"""Errors in each vendor's own form: status, headers and body of `unauthorized`, `forbidden`, `rate-limit`, `usage-limit`,
`overloaded`, `server` and `context`. `reset` is seconds from now."""
import time

NAMES = ("unauthorized", "forbidden", "rate-limit", "usage-limit", "overloaded", "server", "context")


def anthropic(name, reset):
    status, kind, message = {
        "unauthorized": (401, "authentication_error", "invalid x-api-key"),
        "forbidden": (403, "permission_error", "Your API key does not have permission to use the specified resource."),
        "rate-limit": (429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
        "usage-limit": (429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
        "overloaded": (529, "overloaded_error", "Overloaded"),
        "server": (500, "api_error", "Internal server error"),
        "context": (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    }[name]
    headers = {"request-id": "req_fake"}
    if name == "rate-limit":
        headers["retry-after"] = str(reset)
    if name == "usage-limit":
        ends, unified = str(int(time.time()) + reset), "anthropic-ratelimit-unified-"
        headers |= {unified + "status": "rejected", unified + "reset": ends, unified + "representative-claim": "five_hour",
                    unified + "5h-status": "rejected", unified + "5h-reset": ends, unified + "5h-utilization": "1.0",
                    unified + "overage-status": "rejected", "retry-after": str(reset), "x-should-retry": "false"}
    return status, headers, {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fake"}


def openai(name, reset):
    status, kind, code, message = {
        "unauthorized": (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: dummy."),
        "forbidden": (403, "request_forbidden", "unsupported_country_region_territory",
                      "Country, region, or territory not supported"),
        "rate-limit": (429, "requests", "rate_limit_exceeded", f"Rate limit reached for requests. Please try again in {reset}s."),
        "usage-limit": (429, "usage_limit_reached", None, "The usage limit has been reached"),
        "overloaded": (503, "server_error", "server_is_overloaded", "The server is currently overloaded with other requests."),
        "server": (500, "server_error", None, "The server had an error while processing your request."),
        "context": (400, "invalid_request_error", "context_length_exceeded",
                    "Your input exceeds the context window of this model. Please adjust your input and try again."),
    }[name]
    error = {"message": message, "type": kind, "param": None, "code": code}
    if name == "usage-limit":
        error |= {"plan_type": "plus", "resets_at": int(time.time()) + reset, "resets_in_seconds": reset}
    return status, {"retry-after": str(reset)} if name == "rate-limit" else {}, {"error": error}


def gemini(name, reset):
    status, kind, message = {
        "unauthorized": (401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
        "forbidden": (403, "PERMISSION_DENIED", "The caller does not have permission"),
        "rate-limit": (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
        "usage-limit": (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details."),
        "overloaded": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        "server": (500, "INTERNAL", "An internal error has occurred."),
        "context": (400, "INVALID_ARGUMENT",
                    "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576)."),
    }[name]
    details = []
    if name in ("rate-limit", "usage-limit"):
        each, google = "Day" if name == "usage-limit" else "Minute", "type.googleapis.com/google.rpc."
        details = [{"@type": google + "QuotaFailure", "violations": [{
            "quotaMetric": "generativelanguage.googleapis.com/generate_requests",
            "quotaId": f"GenerateRequestsPer{each}PerProjectPerModel"}]},
                   {"@type": google + "RetryInfo", "retryDelay": f"{reset}s"}]
    return status, {}, {"error": {"code": status, "message": message, "status": kind, "details": details}}
