"""The Gemini interface: generateContent and streamGenerateContent."""
import json

from . import errors
from .talk import plain_frame, streamed


class Gemini:
    frame = staticmethod(plain_frame)

    @staticmethod
    def tools(request):
        return [one.get("name") for tool in request.get("tools") or [] for one in tool.get("functionDeclarations") or []]

    @classmethod
    def main(cls, request, path):
        return ":stream" in path and len(cls.tools(request)) > 0

    @staticmethod
    def schema(request):
        wanted = request.get("generationConfig") or {}
        return wanted.get("responseJsonSchema") or wanted.get("responseSchema")

    @staticmethod
    def session(_request):
        return None

    @staticmethod
    def said(request):
        for content in request.get("contents") or []:
            if content.get("role", "user") != "user":
                yield "agent", ""
                continue
            for part in content.get("parts") or []:
                if "functionResponse" in part:
                    yield "result", json.dumps(part["functionResponse"].get("response"))
                elif isinstance(part.get("text"), str):
                    yield "user", part["text"]

    @staticmethod
    def refusal(step):
        if step.error:
            return errors.gemini(step.error, step.reset)
        return step.status, {}, {"error": {"code": step.status, "message": step.message, "status": step.kind,
                                                     **step.arguments}}

    @staticmethod
    def chunk(parts, why=None):
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0,
                                **({"finishReason": why} if why else {})}], "modelVersion": "fake",
                "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 5, "totalTokenCount": 1005}}

    @staticmethod
    def calls(step, names):
        if step.outcome != "call":
            return []
        name, given = step.call(names)
        return [{"functionCall": {"name": name, "args": given}}]

    @classmethod
    def whole(cls, _number, step, names):
        return cls.chunk([*([{"text": step.text}] if step.text else []), *cls.calls(step, names)], "STOP")

    @classmethod
    def events(cls, _number, step, names):
        yield from streamed(step, lambda piece: cls.chunk([{"text": piece}]))
        yield cls.chunk(cls.calls(step, names) or [{"text": ""}], "STOP")
