"""The Anthropic Messages interface."""
import json

from . import errors
from .talk import named_frame, streamed, texts


class Anthropic:
    input, output = 1000, 9  # tokens of each answer
    frame = staticmethod(named_frame)

    @staticmethod
    def tools(request):
        return [tool["name"] for tool in request.get("tools") or [] if "name" in tool]

    @classmethod
    def main(cls, request, _path):
        return len(cls.tools(request)) > 1

    @staticmethod
    def schema(request):
        given = request.get("output_config", {}).get("format") or request.get("output_format") or {}
        return given.get("schema")

    @staticmethod
    def session(request):
        return (request.get("metadata") or {}).get("user_id")

    @staticmethod
    def said(request):
        for message in request.get("messages") or []:
            if message.get("role") != "user":
                yield "agent" if message.get("role") == "assistant" else "other", ""
                continue
            content = message.get("content")
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
                if part.get("type") == "text":
                    yield "user", part["text"]
                elif part.get("type") == "tool_result":
                    yield "result", "\n".join(texts(part.get("content")))

    @staticmethod
    def refusal(step):
        if step.error:
            return errors.anthropic(step.error, step.reset)
        return step.status, {}, {"type": "error", "error": {
            "type": step.kind, "message": step.message, **step.arguments}}

    @staticmethod
    def message(number, content, why):
        usage = {"input_tokens": Anthropic.input, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        return {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "fake", "content": content,
                "stop_reason": why, "stop_sequence": None, "usage": usage}

    @classmethod
    def whole(cls, number, step, names):
        content, why = [], "end_turn"
        if step.text:
            content.append({"type": "text", "text": step.text})
        if step.outcome == "call":
            name, given = step.call(names)
            content.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given})
            why = "tool_use"
        return cls.message(number, content, why)

    @classmethod
    def events(cls, number, step, names):
        yield {"type": "message_start", "message": cls.message(number, [], None)}
        index, why = 0, "end_turn"
        if step.text:
            yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
            yield from streamed(step, lambda piece: {"type": "content_block_delta", "index": 0,
                                                     "delta": {"type": "text_delta", "text": piece}})
            yield {"type": "content_block_stop", "index": 0}
            index = 1
        if step.outcome == "call":
            (name, given), why = step.call(names), "tool_use"
            yield {"type": "content_block_start", "index": index,
                   "content_block": {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}}
            yield {"type": "content_block_delta", "index": index,
                   "delta": {"type": "input_json_delta", "partial_json": json.dumps(given)}}
            yield {"type": "content_block_stop", "index": index}
        yield {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": {"output_tokens": cls.output}}
        yield {"type": "message_stop"}
