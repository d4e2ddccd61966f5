import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { SignalboxClient } from '../client/handles/client.ts';
import { currentUser } from '../client/servers/current-user.ts';
import type { Running } from '../contracts/settings.ts';
import { FormTokens } from './http/forgery.ts';
import { isLoopback } from './http/hosts.ts';
import { respond } from './http/respond.ts';
import { OidcIdentity } from './identity/oidc.ts';
import { everybodyIs, type Identity } from './identity/person.ts';
import { proxiedIdentity } from './identity/proxied.ts';
import { ALL_RIGHTS, ClusterRights } from './identity/rights.ts';
import { secretIn, sessionKey } from './identity/session-key.ts';
import { TokenIdentity } from './identity/token-reviews.ts';
import { Feeds } from './live/feed.ts';
import { LogFeeds } from './live/log-feeds.ts';
import { OpenStreams } from './live/open-streams.ts';
import { JobLists } from './reading/job-lists.ts';
import { JobViews } from './reading/job-views.ts';
import { Kept } from './reading/kept.ts';
import { Servers } from './reading/servers.ts';
import type { Tools } from './routes/route.ts';
import { answerTo } from './serve.ts';
import type { ConsoleProcessSettings } from './settings.ts';
import { ConsoleSettingsError } from './settings-error.ts';

/** A console that listens. */
export interface RunningConsole extends Running {
  /** `http://host:port` with the actual port. */
  readonly address: string;
}

/**
 * Starts a console. It listens also while Temporal or the cluster are away, and then says so. `connect`: a client of
 * Temporal.
 */
export async function startConsole(
  settings: ConsoleProcessSettings,
  log: Logger,
  connect: () => Promise<SignalboxClient>,
): Promise<RunningConsole> {
  refuseUnguarded(settings);
  const tools = await toolsOf(settings, log, connect);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answerTo(request, tools)
      .then((answer) => respond(request, response, answer))
      .catch((error: unknown) => {
        log.error({ err: error }, 'a request could not be answered');
        response.destroy();
      });
  });
  const address = await listen(server, settings);
  log.info({ address }, 'the console is at');
  return {
    address,
    failed: new Promise<never>(() => undefined),
    unready: () => undefined,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      tools.feeds.stop();
      tools.logs.stop();
      server.closeAllConnections();
      await closed;
      await tools.servers.close();
    },
  };
}

/** They read all nodes and pods with GPUs. */
const QUEUES_FRESH_MS = 10_000;
/** They read the ledger of each job that is not archived. */
const PERIODS_FRESH_MS = 60_000;

/** Longer than proxies keep a connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 75_000;

async function toolsOf(
  settings: ConsoleProcessSettings,
  log: Logger,
  connect: () => Promise<SignalboxClient>,
): Promise<Tools> {
  const servers = new Servers(connect, settings);
  const isSecure = settings.console.url?.startsWith('https:') ?? false;
  const key = await sessionKey(settings.console.sessionKeyFile);
  return {
    ...{ settings, servers, log },
    lists: new JobLists(servers, settings.temporal.namespace),
    views: new JobViews(servers, settings.temporal),
    maps: new Kept({ read: { server: 'cluster', what: 'nodes' }, freshMs: QUEUES_FRESH_MS, most: 1 }),
    lanes: new Kept({ read: { server: 'temporal', what: 'lanes' }, freshMs: QUEUES_FRESH_MS, most: 1 }),
    periods: new Kept({ read: { server: 'temporal', what: 'period' }, freshMs: PERIODS_FRESH_MS, most: 50 }),
    feeds: new Feeds(),
    logs: new LogFeeds(),
    streams: new OpenStreams(),
    rights:
      settings.console.identity === 'none'
        ? ALL_RIGHTS
        : new ClusterRights(() => servers.cluster(), settings.cluster.namespaces),
    identity: await identityOf(settings, { servers, isSecure, key }),
    tokens: new FormTokens({ isSecure, key }),
  };
}

interface IdentityTools {
  readonly servers: Servers;
  readonly isSecure: boolean;
  readonly key: Buffer;
}

async function identityOf(
  { console }: ConsoleProcessSettings,
  { servers, isSecure, key }: IdentityTools,
): Promise<Identity> {
  const { oidc, url } = console;
  if (console.identity === 'oidc' && oidc && url) {
    const { secretFile } = oidc;
    const secret = secretFile && (await secretIn(secretFile, 'SIGNALBOX_CONSOLE_OIDC_SECRET_FILE'));
    return new OidcIdentity({ oidc, url, key, secret });
  }
  if (console.identity === 'proxy') return proxiedIdentity(console);
  if (console.identity === 'kubernetes') return new TokenIdentity(() => servers.cluster(), { isSecure });
  return everybodyIs(currentUser());
}

function refuseUnguarded({ console: { identity, host, proxies, oidc, url } }: ConsoleProcessSettings): void {
  if (identity === 'none' && !isLoopback(host))
    throw new ConsoleSettingsError(
      `The console would be open to everybody who reaches ${host}: expected an identity, got none.`,
      'Set SIGNALBOX_CONSOLE_IDENTITY to proxy, kubernetes or oidc (docs/console.md#who-may-see-what), or listen on 127.0.0.1.',
    );
  if (identity === 'proxy' && proxies.length === 0)
    throw new ConsoleSettingsError(
      'Anybody could call himself anybody: expected the addresses of the proxies that are believed, got none.',
      'Set SIGNALBOX_CONSOLE_PROXIES, e.g. to 10.0.0.5 or 10.1.0.0/16.',
    );
  if (identity !== 'oidc') return;
  if (oidc === undefined || url === undefined)
    throw new ConsoleSettingsError(
      `The identity oidc needs a provider, and the address in people's browsers: expected ${OIDC_NEEDS.join(', ')}, got not all of them.`,
      'Set them (docs/console.md#an-openid-provider).',
    );
  const issuer = new URL(oidc.issuer);
  if (issuer.protocol !== 'https:' && !isLoopback(issuer.hostname))
    throw new ConsoleSettingsError(
      `SIGNALBOX_CONSOLE_OIDC_ISSUER: expected an https address, got ${oidc.issuer}: others could answer in its place.`,
      'Use its https address.',
    );
}

const OIDC_NEEDS = [
  'SIGNALBOX_CONSOLE_URL',
  'SIGNALBOX_CONSOLE_OIDC_ISSUER',
  'SIGNALBOX_CONSOLE_OIDC_CLIENT_ID',
];

function listen(server: Server, { console: { host, port } }: ConsoleProcessSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another process already listens there' : cause.message;
      const remedy = 'Choose another with --port or SIGNALBOX_CONSOLE_PORT; 0 takes any free one.';
      reject(
        new ConsoleSettingsError(`The console cannot listen at ${host}:${port}: ${why}.`, remedy, cause),
      );
    });
    server.listen(port, host, () => {
      const { port: chosen } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${chosen}`);
    });
  });
}
