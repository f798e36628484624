// The three tools of the load, for either version of the official SDK: `schema` is what that version takes for one.
import * as z from 'zod';

const textResult = text => ({ content: [{ type: 'text', text }] });
const blobs = new Map();

// Created once, so that only the server is measured.
function blob(size) {
  if (!blobs.has(size)) blobs.set(size, 'x'.repeat(size));
  return blobs.get(size);
}

export function addTools(server, schema, notifier) {
  server.registerTool('echo', { description: 'Returns the given text', inputSchema: schema({ text: z.string() }) }, async ({ text }) => textResult(text));
  server.registerTool('blob', { description: 'Gives a text of so many bytes', inputSchema: schema({ size: z.number().int() }) },
    async ({ size }) => textResult(blob(size)));
  server.registerTool('progress', { description: 'Sends so many progress notices', inputSchema: schema({ steps: z.number().int() }) },
    async ({ steps }, context) => {
      const { progressToken, notify } = notifier(context);
      for (let progress = 1; progress <= steps && progressToken !== undefined; ++progress) {
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: steps } });
      }
      return textResult('done');
    });
  return server;
}
