// Tasks of our servers with the client side of ext-tasks, which sends its requests itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { conformanceOverHttp, textOf } from './support.mjs';

const protocolVersion = '2026-07-28';
const tasks = { 'io.modelcontextprotocol/tasks': {} };
const clientInfo = { name: 'interop', version: '1' };
const clientCapabilities = { elicitation: { form: {} }, extensions: tasks };

/** Sends a request of the stateless era as it is: the SDK does not know tasks. */
const dispatcher = url => async ({ method, params }, { signal } = {}) => {
  const name = params?.name ?? params?.uri ?? params?.taskId;
  const headers = {
    'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': protocolVersion,
    'Mcp-Method': method, ...(name && { 'Mcp-Name': name }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const text = await response.text();
  const data = response.headers.get('content-type').startsWith('text/event-stream')
    ? text.split('\n').filter(line => line.startsWith('data: ')).map(line => line.slice(6)).findLast(line => /"id": ?1\b/.test(line)) : text;
  return JSON.parse(data);
};

describe('tasks under ext-tasks', () => {
  const server = conformanceOverHttp();
  const withSession = body => async () => {
    const url = new URL(`${server.origin}/mcp`);
    const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode: { pin: protocolVersion } } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const session = createTaskSessionFromClient(client, {
      endpointId: 'conformance',
      rawDispatch: dispatcher(url),
      v2RequestFraming: { protocolVersion, clientInfo, clientCapabilities },
      onInputRequest: async () => ({ action: 'accept', content: { confirm: true } }),
    });
    try {
      await body(session);
    } finally {
      await session.close();
      await client.close();
    }
  };

  test('a short call returns its result', withSession(async session => {
    const execution = await session.callTool('slow_compute', { seconds: 0, label: 'sum' });
    assert.equal(execution.kind, 'immediate');
    assert.equal(textOf(resultFromTaskOutcome((await execution.settle()).outcome)), 'sum done');
  }));

  test('a long call becomes a task and is polled until its result', withSession(async session => {
    const execution = await session.callTool('slow_compute', { seconds: 1, label: 'sum' });
    assert.equal(execution.kind, 'task');
    assert.equal(textOf(resultFromTaskOutcome((await execution.settle()).outcome)), 'sum done');
  }));

  test('a failed tool is a completed task', withSession(async session => {
    const execution = await session.callTool('failing_job', {});
    assert.equal(execution.kind, 'task');
    assert.equal(resultFromTaskOutcome((await execution.settle()).outcome).isError, true);
  }));

  test('a task asks its questions', withSession(async session => {
    const execution = await session.callTool('confirm_delete', { filename: 'a.txt' });
    assert.equal(textOf(resultFromTaskOutcome((await execution.settle()).outcome)), 'Deleted a.txt');
  }));

  test('a task is cancelled', withSession(async session => {
    const execution = await session.callTool('slow_compute', { seconds: 60 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'cancelled');
  }));
});
