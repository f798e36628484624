// Shared code of the tests in this directory.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';

export const program = process.env.FAIRLEAD_PROGRAM;
/** The server with the fixtures of the official suite, which is built beside the program. */
export const conformanceServer = { command: join(dirname(program), 'conformance-server'), args: [], stderr: 'inherit' };

/** The text blocks of a tool result, one line each. */
export const textOf = result => result.content.filter(block => block.type === 'text').map(block => block.text).join('\n');

const timeoutMs = 30_000;

export const freePort = () => new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** server-everything over HTTP in one of its modes. Tries another port if the port is taken. */
export function everythingOverHttp(mode) {
  const at = {};
  let server;
  const start = async () => {
    at.port = await freePort();
    server = spawn('mcp-server-everything', [mode], { env: { ...process.env, PORT: at.port }, stdio: ['ignore', 'ignore', 'pipe'] });
    return new Promise(resolve => {
      server.stderr.on('data', printed => /listening|running/i.test(printed) && !/in use/i.test(printed) && resolve(true));
      server.on('exit', () => resolve(false));
    });
  };
  before(async () => {
    for (let tries = 5; !await start(); --tries) {
      if (tries === 1) throw new Error(`mcp-server-everything ${mode} does not start`);
    }
  });
  after(() => server.kill());
  return at;
}

/**
 * Repeats a round until its outcome is the expected one. On a busy machine, messages of several connections may be read at
 * once and in any order, and a timer may be late: a single round proves nothing.
 */
export async function eventually(round, expected, rounds = 50) {
  let outcome;
  for (let i = 0; i < rounds; ++i) {
    outcome = await round();
    if (expected(outcome)) return;
  }
  throw new Error(`not once in ${rounds} rounds; the last was ${outcome}`);
}

/** Received messages that a test can wait for. */
export class ReceivedMessages {
  #all = [];
  #waiting = [];

  add = what => {
    this.#all.push(what);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => this.#all.length < count || resolve(this.#all));
  };

  /** Waits for this many messages. Returns all. */
  first(count) {
    if (this.#all.length >= count) return Promise.resolve(this.#all);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ count, resolve });
      setTimeout(() => reject(new Error(`waited for ${count}, received ${JSON.stringify(this.#all)}`)), timeoutMs).unref();
    });
  }

  get all() {
    return this.#all;
  }
}

/** The progress notifications that a transport received. The SDKs remove a call's listener when its response arrives, so
 * that notifications which arrive together with the response are dropped. */
export const progressSeen = transport =>
  transport.seen.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);

/** An SDK transport that keeps received messages, and sends `revision` instead of the client's newest. */
export function watched(transport, revision) {
  transport.seen = [];
  const start = transport.start.bind(transport);
  const send = transport.send.bind(transport);
  transport.start = async () => {
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      transport.seen.push(message);
      deliver(message, extra);
    };
    await start();
  };
  transport.send = (message, options) => {
    if (revision && message.method === 'initialize') message.params.protocolVersion = revision;
    return send(message, options);
  };
  return transport;
}

/** Subscriptions in the handshake era, for both versions of the SDK. */
export function handshakeNotices(client, call) {
  return {
    subscribe: async ({ uri }) => {
      if (uri) await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    callWithLog: async (name, level) => {
      await client.setLoggingLevel(level);
      return call(name);
    },
  };
}

/** Starts one of our programs for a group of tests. Its origin is known when the tests run. `words` is called then, and
 * returns the arguments. */
function listening(command, words) {
  const at = {};
  let server;
  before(async () => {
    const own = await words();
    await new Promise((resolve, reject) => {
      server = spawn(command, own, { stdio: ['ignore', 'ignore', 'pipe'] });
      let printed = '';
      server.stderr.on('data', text => {
        printed += text;
        at.printed = printed;
        const found = printed.match(/(?:listening|serving \S+) on (http\S*)\/mcp/);
        if (found) resolve(at.origin = found[1]);
      });
      server.on('exit', code => reject(new Error(`the server ended with ${code}: ${printed}`)));
    });
  });
  after(() => server.kill());
  return at;
}

/** The conformance server over HTTP. */
export const conformanceOverHttp = (...options) =>
  listening(conformanceServer.command, () => ['--http', '127.0.0.1:0', ...options]);

/** Our gateway over HTTP. `servers` and `rest` are called when the tests run, and return the servers and the other
 * members of the configuration. */
export function gateway(servers, rest = () => ({})) {
  let folder;
  const at = listening(program, async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-gateway-'));
    const file = join(folder, 'chain.json');
    await writeFile(file, JSON.stringify({ listen: { port: 0 }, list_timeout: '60s', servers: await servers(folder), ...await rest(folder) }));
    return ['serve', '-c', file];
  });
  after(() => rm(folder, { recursive: true }));
  return at;
}
