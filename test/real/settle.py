"""What every agent finds in its throwaway home, so that it comes up with an empty prompt and talks to the fake model: dummy keys,
no onboarding, no telemetry, no updates, a trusted folder."""
import dataclasses
import json
import os
import subprocess
import typing


@dataclasses.dataclass
class Place:
    home: str     # the agent's HOME
    project: str  # where it works
    url: str      # the model

    def write(self, path, text):
        """A file below the home."""
        path = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))


def claude(place, trusted=True):
    known = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True, "projectOnboardingSeenCount": 9}
    place.write(".claude.json", {
        "hasCompletedOnboarding": True, "lastOnboardingVersion": "9.9.9", "theme": "dark", "numStartups": 9,
        "customApiKeyResponses": {"approved": ["dummy"], "rejected": []}, "projects": {place.project: known} if trusted else {}})
    return {"ANTHROPIC_BASE_URL": place.url, "ANTHROPIC_API_KEY": "dummy", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_ERROR_REPORTING": "1"}


CODEX = """model = "gpt-5.1-codex"
model_provider = "fake"
check_for_update_on_startup = false
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
[projects."{project}"]
trust_level = "trusted"
"""


def codex(place, trusted=True):
    text = CODEX.format(url=place.url, project=place.project)
    if not trusted:  # it asks in repositories only
        subprocess.run(["git", "init", "-q", place.project], check=True)
        text = text[:text.index("[projects.")]
    place.write(".codex/config.toml", text)
    return {"OPENAI_API_KEY": "dummy"}


QUIET = {"general": {"disableAutoUpdate": True, "enableAutoUpdate": False, "disableUpdateNag": True,
                     "enableAutoUpdateNotification": False},
         "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
         "ide": {"enabled": False, "hasSeenNudge": True}}


def gemini(place, trusted=True):
    place.write(".gemini/settings.json", {**QUIET, "security": {"folderTrust": {"enabled": True},
                                                                "auth": {"selectedType": "gemini-api-key"}}})
    place.write(".gemini/trustedFolders.json", {place.project: "TRUST_FOLDER"} if trusted else {})
    return {"GOOGLE_GEMINI_BASE_URL": place.url, "GEMINI_API_KEY": "dummy", "GEMINI_TELEMETRY_ENABLED": "false"}


def pi(place):
    price = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    model = {"id": "fake-model", "name": "Fake", "reasoning": False, "input": ["text"], "cost": price, "contextWindow": 128000,
             "maxTokens": 8000}
    place.write(".pi/agent/models.json", {"providers": {"fake": {
        "baseUrl": place.url + "/v1", "api": "openai-completions", "apiKey": "dummy", "models": [model]}}})
    return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}


def opencode(place):
    place.write(".config/opencode/opencode.json", {
        "autoupdate": False, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
        "permission": {"bash": "ask", "edit": "ask"},
        "provider": {"fake": {"npm": "@ai-sdk/openai-compatible", "name": "Fake", "models": {"fake-model": {"name": "Fake Model"}},
                              "options": {"baseURL": place.url + "/v1", "apiKey": "dummy"}}}})
    return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_SHARE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}


def copilot(place):
    place.write(".copilot/config.json", {"trusted_folders": [place.project], "trustedFolders": [place.project], "banner": "never"})
    return {"COPILOT_PROVIDER_BASE_URL": place.url + "/v1", "COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "fake-model", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}


def qwen(place):
    # Its memory would ask the model behind the conversation's back, with tools.
    place.write(".qwen/settings.json", {
        **QUIET, "memory": {"enableManagedAutoMemory": False},
        "security": {"folderTrust": {"enabled": False}, "auth": {"selectedType": "openai"}}})
    return {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": place.url + "/v1", "OPENAI_MODEL": "fake-model",
            "QWEN_TELEMETRY_ENABLED": "false"}


class Agent(typing.NamedTuple):
    command: list                 # its first word is looked for
    settle: typing.Callable       # writes its settings; gives its environment


AGENTS = {
    "claude": Agent(["claude", "--permission-mode", "default"], claude),  # else it asks which mode to have
    "codex": Agent(["codex"], codex),
    "gemini": Agent(["gemini"], gemini),
    "pi": Agent(["pi", "--provider", "fake", "--model", "fake-model"], pi),
    "opencode": Agent(["opencode"], opencode),
    "copilot": Agent(["copilot"], copilot),
    "qwen": Agent(["qwen"], qwen),
}
