// usage: node client.mjs <url> <seconds> <in flight>: calls per second of the official SDK's client, as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, seconds, inFlight] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const client = new Client({ name: 'load', version: '1.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

const taken = [];
const end = performance.now() + seconds * 1000;

async function callUntilTheEnd() {
  while (performance.now() < end) {
    const began = performance.now();
    const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    if (content[0].text !== 'hello') throw new Error('not what was sent');
    taken.push(performance.now() - began);
  }
}

await Promise.all(Array.from({ length: inFlight }, callUntilTheEnd));
taken.sort((a, b) => a - b);
const at = share => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] * 1000;
console.log(JSON.stringify({ calls_per_second: taken.length / seconds, p50_us: at(0.5), p99_us: at(0.99) }));
process.exit(0);
