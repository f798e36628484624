// An express middleware that accepts only tokens with a DPoP proof, checked by oauth4webapi, and requires a nonce of its own.
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';

const nonce = 'a-nonce-of-the-resource-server';
const local = { [oauth.allowInsecureRequests]: true };

/** `accepted` counts the proofs that were accepted. */
export async function dpopCheck({ issuer, resource, metadataUrl, accepted = { proofs: 0 } }) {
  const url = new URL(issuer);
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, local));
  const seen = new Set();
  const refuse = (response, error) => {
    const parts = [`algs="ES256"`, `resource_metadata="${metadataUrl}"`, ...(error ? [`error="${error}"`] : [])];
    response.set('DPoP-Nonce', nonce).set('WWW-Authenticate', `DPoP ${parts.join(', ')}`).status(401).end();
  };
  return async (request, response, next) => {
    const { authorization, dpop } = request.headers;
    if (!authorization) return refuse(response);
    if (!dpop || !/^DPoP /.test(authorization)) return refuse(response, 'invalid_token');
    try {
      const { nonce: used, jti } = decodeJwt(dpop);
      if (used !== nonce) return refuse(response, 'use_dpop_nonce');
      if (seen.has(jti)) return refuse(response, 'invalid_dpop_proof');
      seen.add(jti);
      const asked = new Request(resource, { method: request.method, headers: { authorization, dpop } });
      const claims = await oauth.validateJwtAccessToken(server, asked, resource, { ...local, requireDPoP: true });
      ++accepted.proofs;
      request.auth = { token: '', clientId: claims.client_id, scopes: claims.scope.split(' '), extra: { sub: claims.sub } };
      return next();
    } catch (error) {
      console.error(`refused a DPoP token: ${error.message}`);
      return refuse(response, 'invalid_token');
    }
  };
}
