// An OAuthClientProvider of the official SDK that keeps everything in memory and listens for the callback.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** `opened` is the authorization URL that the SDK requests; `code` and all `parameters` are what the callback received. */
export async function signInProvider() {
  const kept = {};
  const server = createServer((request, response) => {
    kept.parameters = new URL(request.url, 'http://127.0.0.1').searchParams;
    response.end('done');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${server.address().port}/callback`;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'witness', redirect_uris: [redirectUrl], application_type: 'native', token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: client => { kept.client = client; },
    tokens: () => kept.tokens,
    saveTokens: tokens => { kept.tokens = tokens; },
    redirectToAuthorization: url => { kept.opened = url; },
    saveCodeVerifier: verifier => { kept.verifier = verifier; },
    codeVerifier: () => kept.verifier,
    get opened() { return kept.opened; },
    get code() { return kept.parameters?.get('code'); },
    get parameters() { return kept.parameters; },
    close: () => server.close(),
  };
}
