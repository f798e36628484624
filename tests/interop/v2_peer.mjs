import assert from 'node:assert/strict';
import { Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { conformanceServer, handshakeNotices, watched } from './support.mjs';

const overStdio = () => new StdioClientTransport(conformanceServer);

/** A client of SDK version 2, in either era, connected to the conformance server. */
export const opener = (mode, connect = overStdio) => async ({ capabilities = {}, answers = {}, revision, options = {} } = {}) => {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities, versionNegotiation: { mode }, ...options });
  for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(method, answer);
  const transport = watched(connect(), revision);
  await client.connect(transport);
  const call = (name, args = {}, callOptions = {}) => client.callTool({ name, arguments: args }, callOptions);
  return {
    client,
    transport,
    call,
    onNotification: (method, listener) => client.setNotificationHandler(method, listener),
    ...(client.getProtocolEra() === 'modern' ? statelessNotices(client) : handshakeNotices(client, call)),
  };
};

/** Subscriptions in the stateless era: a listen request, and members of every request. */
function statelessNotices(client) {
  return {
    subscribe: async ({ lists, uri }) => {
      const changes = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
      const wanted = { ...(lists && changes), ...(uri && { resourceSubscriptions: [uri] }) };
      const subscription = await client.listen(wanted);
      assert.deepEqual(subscription.honoredFilter, wanted);
      return () => subscription.close();
    },
    callWithLog: (name, level) => client.callTool({ name, arguments: {}, _meta: { [LOG_LEVEL_META_KEY]: level } }),
  };
}
