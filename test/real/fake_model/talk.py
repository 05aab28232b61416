"""What the four interfaces share. Each is a class of static methods, a value like `Anthropic` is never made:

  tools(request)                the names of the tools that the agent offers
  main(request, path)           whether it belongs to the conversation, not to a title or a summary beside it
  session(request)              what the agent calls the conversation, or None
  said(request)                 the conversation: pairs of user, agent, result or other, and a text, in order
  refusal(step)                 an error: status, headers, body
  whole(number, step, names)    an answer in one piece
  events(number, step, names)   an answer as a stream: dicts to send, numbers of seconds to wait
  frame(event)                  the bytes of one event"""
import json


class Cut(Exception):
    """The script wants the connection broken here."""


def streamed(step, delta):
    """The events of a text, piece by piece."""
    for number, piece in enumerate(step.cuttings()):
        if number == step.cut:
            raise Cut
        yield delta(piece)
        yield step.every
    if step.cut >= 0:
        raise Cut


def named_frame(event):
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def plain_frame(event):
    return f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode()


def texts(content):
    """The texts of a content, which is a text or a list of parts."""
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or [] if isinstance(part, dict) and isinstance(part.get("text"), str)]


def example(schema):
    """The smallest value of a JSON schema: what a side request wants to be answered with."""
    kind = schema.get("type", "object") if isinstance(schema, dict) else "string"
    kind = (kind[0] if isinstance(kind, list) else kind).lower()
    if kind == "object":
        return {name: example(inner) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return []
    if "enum" in schema:
        return schema["enum"][-1]
    return {"string": "Sample task", "boolean": True, "null": None}.get(kind, 1)


def side_text(schema):
    """The answer to a request beside the conversation."""
    return json.dumps(example(schema)) if schema else "Sample task"
