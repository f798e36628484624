"""A client of either era with random actions, which disconnects at any byte."""
import asyncio
import json

from raw_mcp_client import Wire, call, initialize, request_text

CAPABILITIES = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {"listChanged": True}}
TRIGGERS = ["test_trigger_tool_change", "test_trigger_prompt_change", "test_trigger_resource_change", "test_trigger_resource_update"]
QUESTIONS = ["test_elicitation", "test_sampling", "test_list_roots", "multi_input", "confirm_delete",
             "test_input_required_result_multi_round", "test_input_required_result_multiple_inputs"]
TASKS = ["slow_compute", "test_tool_with_task", "failing_job", "protocol_error_job"]
LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]


class Broken(Exception):
    """The gateway misbehaved."""


class RandomClient:
    """One session at one path."""

    def __init__(self, port, path, modern, rng, counts, timeout, without=()):
        self.wire = Wire(port, path, modern, timeout)
        self.port, self.path, self.modern, self.random, self.counts = port, path, modern, rng, counts
        self.next_id, self.task_ids = 0, ["none"]
        steps = [self.echo] * 6 + [self.list] * 3 + [self.trigger, self.answer_server_requests, self.answer_server_requests, self.use_tasks, self.listen, self.listen,
                                                     self.subscribe, self.send_garbage, self.cancel, self.vanish, self.vanish]
        self.steps = [step for step in steps if step.__name__ not in without]

    def new_id(self):
        self.next_id += 1
        return self.next_id

    def meta(self):
        if not self.modern:
            return {"progressToken": self.next_id} if self.random.random() < 0.3 else None
        meta = {"io.modelcontextprotocol/clientCapabilities": CAPABILITIES if self.random.random() < 0.8 else {}}
        return meta | ({"progressToken": self.next_id} if self.random.random() < 0.3 else {})

    async def open(self):
        """Opens a session. Returns False if the server is not available."""
        await self.wire.open()
        if self.modern:
            return True
        offered = CAPABILITIES if self.random.random() < 0.8 else {}
        status, answer = await self.wire.exchange(initialize(offered))
        if status != 200 or "result" not in answer:
            self.counts["not initialized"] += 1
            return False
        if self.random.random() < 0.9:
            await self.wire.exchange({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return True

    def answer_to(self, method):
        if self.random.random() < 0.1:
            return {"error": {"code": -1, "message": "no"}}
        if method == "elicitation/create":
            return {"result": {"action": self.random.choice(["accept", "decline", "cancel"]), "content": {"name": "x", "confirm": True}}}
        if method == "sampling/createMessage":
            return {"result": {"role": "assistant", "model": "none", "content": {"type": "text", "text": "x"}}}
        return {"result": {"roots": []} if method == "roots/list" else {}}

    async def explain_call(self, question):
        """Answers on another connection; the response to the call comes on this one."""
        self.counts["questions"] += 1
        side = Wire(self.port, self.path, self.modern, self.wire.timeout)
        side.session = self.wire.session
        try:
            await side.open()
            await side.exchange({"jsonrpc": "2.0", "id": question["id"]} | self.answer_to(question["method"]))
        finally:
            side.abort()

    async def read_answer(self, id):
        status, fields = await self.wire.answer_head()
        last = None
        async for message in self.wire.messages(fields):
            if "method" in message and "id" in message:
                await self.explain_call(message)
            elif "method" not in message:
                last = message
        if last is not None and "method" not in last and last.get("id") not in (id, None):
            raise Broken(f"{self.path}: requested {id}, got {last}")
        return status, last

    async def exchange(self, message):
        self.wire.writer.write(self.wire.request(message))
        await self.wire.writer.drain()
        return await asyncio.wait_for(self.read_answer(message.get("id")), self.wire.timeout)

    def count(self, status, answer):
        outcome = "answered" if answer and "result" in answer else f"refused with {status}"
        self.counts[outcome] += 1
        return answer.get("result", {}) if answer else {}

    async def echo(self):
        nonce, id = f"{self.random.getrandbits(64):x}", self.new_id()
        result = self.count(*await self.exchange(call(id, "echo", {"text": nonce}, self.modern, self.meta())))
        if "content" in result and not result.get("isError") and result["content"][0]["text"] != nonce:
            raise Broken(f"{self.path}: requested {id} {nonce}, got {result}")

    async def list(self):
        self.count(*await self.exchange(request_text(self.new_id(), self.random.choice(LISTS), {}, self.modern, self.meta())))

    async def trigger(self):
        self.count(*await self.exchange(call(self.new_id(), self.random.choice(TRIGGERS), {}, self.modern, self.meta())))

    async def answer_server_requests(self):
        """In the stateless era, server requests come as a result; repeats the call with the answers."""
        tool, more = self.random.choice(QUESTIONS), {}
        for _ in range(4):
            message = call(self.new_id(), tool, {"path": "x", "prompt": "x", "message": "x"}, self.modern, self.meta())
            message["params"] |= more
            result = self.count(*await self.exchange(message))
            if result.get("resultType") != "input_required":
                return
            answers = {key: self.answer_to(request["method"]).get("result", {"action": "cancel"})
                       for key, request in result.get("inputRequests", {}).items()}
            more = {"inputResponses": answers} | ({"requestState": result["requestState"]} if "requestState" in result else {})

    async def use_tasks(self):
        what = self.random.choice(["begin", "tasks/get", "tasks/cancel", "tasks/list", "tasks/result"])
        if what == "begin":
            message = call(self.new_id(), self.random.choice(TASKS), {"seconds": 0.2}, self.modern, self.meta())
            message["params"]["task"] = {"ttl": 1000}
            result = self.count(*await self.exchange(message))
            found = result.get("taskId") or result.get("task", {}).get("taskId")
            return self.task_ids.append(found) if found else None
        params = {} if what == "tasks/list" else {"taskId": self.random.choice(self.task_ids)}
        self.count(*await self.exchange(request_text(self.new_id(), what, params, self.modern, self.meta())))

    async def listen(self):
        """Subscribes to changes for a moment, then disconnects."""
        side = Wire(self.port, self.path, self.modern, self.wire.timeout)
        side.session = self.wire.session
        wanted = {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True}
        message = request_text(self.new_id(), "subscriptions/listen", {"notifications": wanted}, True)
        try:
            await side.open()
            side.writer.write(side.request(message) if self.modern else side.head("GET", ["Accept: text/event-stream"]))
            await side.writer.drain()
            if self.random.random() < 0.5:
                await asyncio.wait_for(side.reader.read(self.random.randrange(1, 2000)), self.random.random())
        except asyncio.TimeoutError:
            pass
        finally:
            self.counts["listened"] += 1
            side.abort()

    async def subscribe(self):
        method = self.random.choice(["resources/subscribe", "resources/unsubscribe", "resources/read"])
        self.count(*await self.exchange(request_text(self.new_id(), method, {"uri": "test://watched-resource"}, self.modern, self.meta())))

    async def cancel(self):
        """Cancels its own call from another connection; a response may or may not come."""
        id = self.new_id()
        self.wire.writer.write(self.wire.request(call(id, "slow_compute", {"seconds": 1}, self.modern, self.meta())))
        await self.wire.writer.drain()
        side = Wire(self.port, self.path, self.modern, self.wire.timeout)
        side.session = self.wire.session
        try:
            await side.open()
            await side.exchange({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
        finally:
            side.abort()
        self.counts["cancelled"] += 1
        return "gone"

    async def send_garbage(self):
        body = self.random.choice([b"{", b"[]", b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b"\xff"])
        self.wire.writer.write(self.wire.head("POST", ["Content-Type: application/json", "Accept: application/json, text/event-stream",
                                                       f"Content-Length: {len(body)}"]) + body)
        await self.wire.writer.drain()
        self.count(*await asyncio.wait_for(self.read_answer(1), self.wire.timeout))

    async def vanish(self):
        """Disconnects within a request or a response."""
        tool = self.random.choice(["echo", "blob", "progress", *QUESTIONS, *TRIGGERS])
        data = self.wire.request(call(self.new_id(), tool, {"text": "x", "bytes": 100_000, "steps": 20}, self.modern, self.meta()))
        self.wire.writer.write(data[: self.random.randrange(len(data) + 1)] if self.random.random() < 0.5 else data)
        await self.wire.writer.drain()
        try:
            if self.random.random() < 0.5:
                await asyncio.wait_for(self.wire.reader.read(self.random.randrange(1, 5000)), self.random.random() * 0.1)
        except asyncio.TimeoutError:
            pass
        self.counts["vanished"] += 1
        return "gone"

    async def step(self):
        """Runs one random action. Returns "gone" if the connection cannot be used again."""
        chosen = self.random.choice(self.steps)
        try:
            return await chosen()
        except asyncio.TimeoutError:
            raise Broken(f"{self.path}: {chosen.__name__} was not answered within {self.wire.timeout} s") from None
        except json.JSONDecodeError as trouble:
            raise Broken(f"{self.path}: {chosen.__name__} was answered with {trouble.doc[:200]!r}") from None

    async def converse(self):
        try:
            if not await self.open():
                return
            for _ in range(self.random.randrange(1, 10)):
                if await self.step() == "gone":
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            self.counts["cut"] += 1
        finally:
            await self.wire.delete()
