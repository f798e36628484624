// What the tests of this folder share.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';

export const program = process.env.FAIRLEAD_PROGRAM;
export const demo = { command: program, args: ['demo'], stderr: 'inherit' };

/** The text of a tool's result, a line for each block that has one. */
export const textOf = result => result.content.filter(block => block.type === 'text').map(block => block.text).join('\n');

const patience = 30_000;

export const freePort = () => new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** The server that has everything, over HTTP in one of its modes; on another port if somebody else was quicker. */
export function everythingOverHttp(mode) {
  const at = {};
  let server;
  const start = async () => {
    at.port = await freePort();
    server = spawn('mcp-server-everything', [mode], { env: { ...process.env, PORT: at.port }, stdio: ['ignore', 'ignore', 'pipe'] });
    return new Promise(resolve => {
      server.stderr.on('data', said => /listening|running/i.test(said) && !/in use/i.test(said) && resolve(true));
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

/** What came from the other side, for a test to wait for. */
export class Heard {
  #all = [];
  #waiting = [];

  add = what => {
    this.#all.push(what);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => this.#all.length < count || resolve(this.#all));
  };

  /** All of it, as soon as there are so many. */
  first(count) {
    if (this.#all.length >= count) return Promise.resolve(this.#all);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ count, resolve });
      setTimeout(() => reject(new Error(`waited for ${count}, heard ${JSON.stringify(this.#all)}`)), patience).unref();
    });
  }

  get all() {
    return this.#all;
  }
}

/** The progress notices that a transport has brought. The SDKs forget a call's listener the moment that its answer is
 * there, so that of notices which come together with it they tell nobody. */
export const progressSeen = transport =>
  transport.seen.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);

/** A transport of the SDK's that keeps what it brings, and says `revision` where its client would say its newest. */
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

/** How one asks to be told of things after a handshake, in either version of the SDK. */
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

/** A program of ours that says where it is, for all tests of a group. Its address, without a path, is known once they
 * run. `words` is called then, and gives what to start it with. */
function listening(words) {
  const at = {};
  let server;
  before(async () => {
    const own = await words();
    await new Promise((resolve, reject) => {
      server = spawn(program, own, { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      server.stderr.on('data', text => {
        said += text;
        at.said = said;
        const found = said.match(/(?:listening|serving \S+) on (http\S*)\/mcp/);
        if (found) resolve(at.origin = found[1]);
      });
      server.on('exit', code => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
  });
  after(() => server.kill());
  return at;
}

/** Our demo server over HTTP. */
export const demoOverHttp = (...options) => listening(() => ['demo', '--http', '127.0.0.1:0', ...options]);

/** Our gateway over HTTP; `servers` is called when the tests run, and gives those of its configuration. So is `rest`, for
 * what else is in it. */
export function gateway(servers, rest = () => ({})) {
  let folder;
  const at = listening(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-gateway-'));
    const file = join(folder, 'chain.json');
    await writeFile(file, JSON.stringify({ listen: { port: 0 }, servers: await servers(folder), ...await rest(folder) }));
    return ['serve', '-c', file];
  });
  after(() => rm(folder, { recursive: true }));
  return at;
}
