"""The OpenAI Chat Completions interface."""
import json

from . import errors
from .responses import Responses
from .talk import plain_frame, streamed, texts


class Chat:
    frame = staticmethod(plain_frame)
    usage = {"prompt_tokens": 1000, "completion_tokens": 5, "total_tokens": 1005}

    @staticmethod
    def tools(request):
        return [tool.get("function", {}).get("name") for tool in request.get("tools") or []]

    @classmethod
    def main(cls, request, _path):
        return len(cls.tools(request)) > 0

    @staticmethod
    def schema(request):
        return (request.get("response_format") or {}).get("json_schema", {}).get("schema")

    @staticmethod
    def session(request):
        return request.get("prompt_cache_key")

    @staticmethod
    def said(request):
        for message in request.get("messages") or []:
            role, found = message.get("role"), texts(message.get("content"))
            if role == "user":
                for text in found:
                    yield "user", text
            else:
                yield {"tool": "result", "assistant": "agent"}.get(role, "other"), "\n".join(found)

    @staticmethod
    def refusal(step):
        return errors.openai(step.error, step.reset) if step.error else Responses.refusal(step)

    @staticmethod
    def calls(number, step, names):
        name, given = step.call(names)
        return [{"index": 0, "id": f"call_{number}", "type": "function",
                 "function": {"name": name, "arguments": json.dumps(given)}}]

    @staticmethod
    def finish(step):
        return "tool_calls" if step.outcome == "call" else "stop"

    @classmethod
    def whole(cls, number, step, names):
        message = {"role": "assistant", "content": step.text or None}
        if step.outcome == "call":
            message["tool_calls"] = cls.calls(number, step, names)
        return {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1, "model": "fake",
                "choices": [{"index": 0, "message": message, "finish_reason": cls.finish(step)}], "usage": cls.usage}

    @classmethod
    def events(cls, number, step, names):
        def chunk(delta, why=None):
            return {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": "fake",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": why}]}
        yield chunk({"role": "assistant", "content": ""})
        yield from streamed(step, lambda piece: chunk({"content": piece}))
        if step.outcome == "call":
            yield chunk({"tool_calls": cls.calls(number, step, names)})
        yield chunk({}, cls.finish(step))
        yield {**chunk({}), "choices": [], "usage": cls.usage}
        yield "[DONE]"
