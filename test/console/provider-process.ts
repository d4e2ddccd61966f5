import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/**
 * A real OpenID provider, as a process: prints its issuer when it listens. Whoever names himself at its form is known. Its clock
 * may be wrong: PROVIDER_CLOCK_MS is added.
 */

const PEOPLE: Readonly<Record<string, object>> = {
  ana: { email: 'ana@example.com', email_verified: true, groups: ['vision', 'system:masters'] },
  bea: { email: 'bea@example.com', email_verified: true, groups: ['speech'] },
  root: { email: 'system:admin', groups: ['vision'] },
  unverified: { email: 'ana@example.com', email_verified: false, groups: ['vision'] },
  nameless: { groups: ['vision'] },
  many: {
    email: 'many@example.com',
    groups: Array.from({ length: 300 }, (_, index) => `vision-and-more-${index}`),
  },
};

const [redirect, port = '0'] = process.argv.slice(2);
const wrongMs = Number(process.env.PROVIDER_CLOCK_MS ?? 0);
const now = Date.now;
Date.now = () => now() + wrongMs;

const configuration: Configuration = {
  clients: [
    {
      ...{ client_id: 'console', client_secret: 'a secret of the test', redirect_uris: [redirect!] },
      ...{ response_types: ['code'], grant_types: ['authorization_code'] },
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'groups'],
  findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...PEOPLE[id] }) }),
  pkce: { required: () => true },
  cookies: { keys: ['of the test'] },
  features: { devInteractions: { enabled: true } },
};

const server = createServer();
server.listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', new Provider(issuer, configuration).callback());
  process.stdout.write(`issuer ${issuer}\n`);
});
