// A server with FastMCP for TypeScript.
import { FastMCP } from 'fastmcp';
import * as z from 'zod';

const server = new FastMCP({ name: 'fast', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Returns the given text',
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
});
server.addResource({ uri: 'note://one', name: 'one', mimeType: 'text/plain', load: async () => ({ text: 'first' }) });
await server.start({ transportType: 'stdio' });
