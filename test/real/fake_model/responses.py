"""The OpenAI Responses interface."""
import itertools
import json

from . import errors
from .talk import named_frame, streamed, texts


class Responses:
    input, output = 1000, 5  # tokens of each answer
    frame = staticmethod(named_frame)

    @staticmethod
    def tools(request):
        names = []
        for tool in request.get("tools") or []:
            names += [one.get("name") for one in tool.get("tools", [])] or [tool.get("name") or tool.get("type")]
        return names

    @classmethod
    def main(cls, request, _path):
        return len(cls.tools(request)) > 0

    @staticmethod
    def schema(request):
        return (request.get("text") or {}).get("format", {}).get("schema")

    @staticmethod
    def session(request):
        return request.get("prompt_cache_key")

    @staticmethod
    def said(request):
        given = request.get("input") or []
        for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
            kind = item.get("type", "message")
            if kind.endswith("_call_output"):
                output = item.get("output")
                yield "result", output if isinstance(output, str) else "\n".join(texts(output)) or json.dumps(output)
            elif kind == "message" and item.get("role") == "user":
                for text in texts(item.get("content")):
                    yield "user", text
            else:
                yield "other" if item.get("role") in ("developer", "system") else "agent", ""

    @staticmethod
    def refusal(step):
        if step.error:
            return errors.openai(step.error, step.reset)
        return step.status, {}, {"error": {"message": step.message, "type": step.kind, "param": None,
                                                     "code": step.kind, **step.arguments}}

    @staticmethod
    def response(number, status, output):
        usage = {"input_tokens": Responses.input, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": Responses.output,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": Responses.input + Responses.output}
        return {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": status, "model": "fake",
                "output": output, **({"usage": usage} if output else {})}

    @staticmethod
    def items(number, step, names):
        if step.text:
            yield {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                   "content": [{"type": "output_text", "text": step.text, "annotations": []}]}
        if step.outcome == "call":
            name, given = step.call(names)
            apart = {"namespace": step.namespace} if step.namespace else {}
            yield {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name, **apart,
                   "arguments": json.dumps(given), "status": "completed"}

    @classmethod
    def whole(cls, number, step, names):
        return cls.response(number, "completed", list(cls.items(number, step, names)))

    @classmethod
    def events(cls, number, step, names):
        counter = itertools.count()
        for event in cls.unnumbered(number, step, names):
            yield {**event, "sequence_number": next(counter)} if isinstance(event, dict) else event

    @classmethod
    def unnumbered(cls, number, step, names):
        items = list(cls.items(number, step, names))
        yield {"type": "response.created", "response": cls.response(number, "in_progress", [])}
        for index, item in enumerate(items):
            at = {"output_index": index}
            if item["type"] == "message":
                part = {**at, "item_id": item["id"], "content_index": 0}
                yield {"type": "response.output_item.added", **at, "item": {**item, "status": "in_progress", "content": []}}
                yield {"type": "response.content_part.added", **part,
                       "part": {"type": "output_text", "text": "", "annotations": []}}
                yield from streamed(step, lambda piece, part=part: {"type": "response.output_text.delta", **part, "delta": piece})
                yield {"type": "response.output_text.done", **part, "text": step.text}
            else:
                yield {"type": "response.output_item.added", **at, "item": {**item, "status": "in_progress"}}
            yield {"type": "response.output_item.done", **at, "item": item}
        yield {"type": "response.completed", "response": cls.response(number, "completed", items)}
