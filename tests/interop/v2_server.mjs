// A server with version 2 of the official SDK, for both eras, with every feature of the SDK.
import {
  acceptedContent, completable, createMcpHandler, createRequestStateCodec, inputRequired, inputResponse, McpServer, ResourceTemplate,
} from '@modelcontextprotocol/server';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const textResult = text => ({ content: [{ type: 'text', text }] });
const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)), ttlSeconds: 600 });
const form = (message, properties) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });
let version = 1;

function addPlainTools(server) {
  server.registerTool('echo', { title: 'Echo', description: 'Returns the given text', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => textResult(text));
  server.registerTool('sum', { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ total: z.number() }) },
    ({ a, b }) => ({ ...textResult(`${a + b}`), structuredContent: { total: a + b } }));
  server.registerTool('fail', {}, () => ({ ...textResult('no luck'), isError: true }));
  server.registerTool('picture', {}, () => ({ content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] }));
  server.registerTool('say', { description: 'Logs on two levels' }, async ctx => {
    await ctx.mcpReq.log('info', 'by the way');
    await ctx.mcpReq.log('warning', { careful: true });
    return textResult('said');
  });
}

function addSlowTools(server) {
  server.registerTool('steps', { description: 'Reports progress' }, async ctx => {
    const { progressToken } = ctx.mcpReq._meta ?? {};
    for (let progress = 1; progress <= 3 && progressToken !== undefined; ++progress) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    return textResult('done');
  });
  let cancelled = 0;
  server.registerTool('sleep', { description: 'Never ends unless it is cancelled' }, ctx => new Promise(resolve => {
    ctx.mcpReq.signal.addEventListener('abort', () => { ++cancelled; resolve(textResult('too late')); });
  }));
  server.registerTool('cancelled', { description: 'How many were cancelled' }, () => textResult(`${cancelled}`));
}

function addQuestions(server) {
  server.registerTool('greet', { description: 'Asks for a name' }, ctx => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'name');
    if (answer.kind === 'missing') return inputRequired({ inputRequests: { name: form('Your name?', { name: { type: 'string' } }) } });
    return textResult(answer.action === 'accept' ? `Hello, ${answer.content.name}!` : `You chose to ${answer.action}`);
  });
  server.registerTool('visit', { description: 'Sends the user to a page' }, ctx => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'page');
    if (answer.kind !== 'missing') return textResult(`They said ${answer.action}`);
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://example.com/in' }) } });
  });
  server.registerTool('survey', { description: 'Asks model and client at once' }, ctx => {
    const [model, roots] = ['model', 'roots'].map(key => inputResponse(ctx.mcpReq.inputResponses, key));
    if (model.kind === 'sampling' && roots.kind === 'roots') {
      return textResult(`${model.result.content.text}, ${roots.roots.map(({ uri }) => uri).join()}`);
    }
    const messages = [{ role: 'user', content: { type: 'text', text: 'Why?' } }];
    const inputRequests = { model: inputRequired.createMessage({ messages, maxTokens: 20 }), roots: inputRequired.listRoots() };
    return inputRequired({ inputRequests });
  });
  server.registerTool('deploy', { description: 'Asks twice, and carries a state' }, async ctx => {
    const state = ctx.mcpReq.requestState();
    if (state) return textResult(`Deployed ${state.what} to ${acceptedContent(ctx.mcpReq.inputResponses, 'where').where}`);
    const what = acceptedContent(ctx.mcpReq.inputResponses, 'what');
    if (!what) return inputRequired({ inputRequests: { what: form('What?', { what: { type: 'string' } }) } });
    const where = form('Where?', { where: { type: 'string' } });
    return inputRequired({ inputRequests: { where }, requestState: await codec.mint(what) });
  });
}

function addResources(server, era) {
  const watched = new Set();
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' },
    uri => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: `version ${version}` }] }));
  server.registerResource('about', new ResourceTemplate('about://{what}', { list: undefined, complete: { what: value => [`${value}!`] } }), {},
    (uri, { what }) => ({ contents: [{ uri: uri.href, text: `about ${what}` }] }));
  server.server.setRequestHandler('resources/subscribe', ({ params }) => { watched.add(params.uri); return {}; });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => { watched.delete(params.uri); return {}; });
  server.registerTool('edit', { description: 'Changes the note' }, async () => {
    ++version;
    if (era === 'modern' || watched.has('note://one')) await server.server.sendResourceUpdated({ uri: 'note://one' });
    return textResult('edited');
  });
}

function addPrompts(server) {
  const argsSchema = z.object({ name: completable(z.string(), value => ['Ann', 'Anna', 'Bob'].filter(name => name.startsWith(value))) });
  server.registerPrompt('greeting', { title: 'Greeting', description: 'Greets', argsSchema },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }] }));
}

function addChanges(server) {
  server.registerTool('grow', { description: 'Adds one of each' }, () => {
    server.registerTool('grown', {}, () => textResult('here'));
    server.registerPrompt('grown', {}, () => ({ messages: [] }));
    server.registerResource('grown', 'note://grown', {}, uri => ({ contents: [{ uri: uri.href, text: '' }] }));
    return textResult('grew');
  });
}

// Over HTTP a new server is created for each request; the handshake era has no sessions here.
async function serveHttp(make, options, port) {
  const handler = createMcpHandler(make, options);
  createServer(async (request, response) => {
    const body = request.method === 'POST' ? Readable.toWeb(request) : undefined;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const webRequest = new Request(`http://127.0.0.1:${port}${request.url}`,
      { method: request.method, headers: request.headers, body, duplex: 'half', signal: gone.signal });
    const answer = await handler.fetch(webRequest);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body).on('error', () => response.destroy()).pipe(response);
    else response.end();
  }).listen(port, '127.0.0.1');
}

const make = ({ era }) => {
  const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true } };
  const options = { capabilities, instructions: 'Be brief.', requestState: { verify: codec.verify } };
  const server = new McpServer({ name: 'v2', version: '2.0' }, options);
  addPlainTools(server);
  addSlowTools(server);
  addQuestions(server);
  addResources(server, era);
  addPrompts(server);
  addChanges(server);
  return server;
};

const options = process.argv.includes('--newest-only') ? { legacy: 'reject' } : {};
const http = process.argv.indexOf('--http');
http > 0 ? serveHttp(make, options, Number(process.argv[http + 1])) : serveStdio(make, options);
