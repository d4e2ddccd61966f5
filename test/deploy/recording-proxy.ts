import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Stands before the API server and writes down what is asked of it, as RBAC sees it: `delete pods`. */
export interface RecordingProxy {
  readonly url: string;
  /** What was asked for and allowed. */
  readonly allowed: ReadonlySet<string>;
  /** What was refused with 403. */
  readonly forbidden: ReadonlySet<string>;
  /** How often the proxy itself has refused. */
  readonly refusals: number;
  /** Refuses all requests for a kind of objects with 403 from now on, and cuts the watches that are open; `allow` ends that. */
  refuse(plural: string): void;
  allow(plural: string): void;
  close(): Promise<void>;
}

export async function startRecordingProxy(server: string, ca: string): Promise<RecordingProxy> {
  const allowed = new Set<string>();
  const forbidden = new Set<string>();
  const refused = new Set<string>();
  const open = new Map<ServerResponse, string>();
  let refusals = 0;
  const agent = new Agent({ ca, keepAlive: true });
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const verb = verbOf(from.method ?? 'GET', from.url ?? '/');
    const plural = verb?.split(' ')[1] ?? '';
    if (refused.has(plural)) {
      refusals++;
      to.writeHead(403, { 'content-type': 'application/json' }).end(REFUSAL);
      return;
    }
    open.set(to, plural);
    const onward = request(
      new URL(from.url ?? '/', server),
      { method: from.method, headers: from.headers, agent },
      (answer) => {
        if (verb) (answer.statusCode === 403 ? forbidden : allowed).add(verb);
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        to.flushHeaders();
        answer.pipe(to);
        answer.on('error', () => to.destroy());
      },
    );
    onward.on('error', () => to.destroy());
    to.on('close', () => {
      open.delete(to);
      onward.destroy();
    });
    from.pipe(onward);
  };
  const proxy = createServer(pass);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    allowed,
    forbidden,
    get refusals() {
      return refusals;
    },
    refuse: (plural) => {
      refused.add(plural);
      for (const [answer, of] of open) if (of === plural) answer.destroy();
    },
    allow: (plural) => void refused.delete(plural),
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
        agent.destroy();
      }),
  };
}

const REFUSAL = JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'forbidden by the test' });

/** Undefined for what is no resource: discovery, health. */
function verbOf(method: string, url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://any');
  const path = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?(\w+)(?:\/([^/]+)(?:\/(\w+))?)?$/;
  const [, plural, name, subresource] = path.exec(pathname) ?? [];
  if (!plural) return undefined;
  const resource = subresource ? `${plural}/${subresource}` : plural;
  const reading = searchParams.has('watch') ? 'watch' : name ? 'get' : 'list';
  const verbs: Record<string, string> = {
    GET: reading,
    POST: 'create',
    PUT: 'update',
    PATCH: 'patch',
    DELETE: name ? 'delete' : 'deletecollection',
  };
  return `${verbs[method]} ${resource}`;
}
