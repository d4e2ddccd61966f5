import type { Chance } from '../scenarios/chance.ts';

/** An answer of an API server that does not do what it is asked to. */
export interface ApiFault {
  readonly name: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  /** What was asked for is done, and only the answer says otherwise. */
  readonly isDone?: boolean;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** One that could be the answer to this request. */
export function faultOf(asked: Asked, chance: Chance): ApiFault {
  const isWrite = asked.method !== 'GET';
  const createsPod = asked.method === 'POST' && /\/pods(\?|$)/.test(asked.path);
  const kinds = [forbidden, tooMany, broken, ...(isWrite ? [lost] : []), ...(createsPod ? [overQuota] : [])];
  return chance.pick(kinds)!(asked);
}

/** As RBAC says it. */
export function forbidden({ method, path }: Asked): ApiFault {
  const { resource, name, namespace } = partsOf(path);
  const where = namespace ? ` in the namespace "${namespace}"` : ' at the cluster scope';
  const what = `User "system:serviceaccount:signalbox-system:signalbox" cannot ${verbOf(method, name)} resource "${resource}" in API group ""${where}`;
  const message = `${resource}${name ? ` "${name}"` : ''} is forbidden: ${what}`;
  return {
    name: 'HTTP: 403, no right',
    status: 403,
    body: statusOf(403, 'Forbidden', message, { name, kind: resource }),
  };
}

const overQuota = (): ApiFault => ({
  name: 'HTTP: 403, over a quota',
  status: 403,
  body: statusOf(
    403,
    'Forbidden',
    'pods "any" is forbidden: exceeded quota: chaos, requested: pods=1, used: pods=100, limited: pods=100',
    { kind: 'pods' },
  ),
});

/** As priority and fairness says it. */
const tooMany = (): ApiFault => ({
  name: 'HTTP: 429',
  status: 429,
  headers: { 'retry-after': '1' },
  body: statusOf(429, 'TooManyRequests', 'Too many requests, please try again later.', {
    retryAfterSeconds: 1,
  }),
});

/** As it answers a watch from a resource version that etcd has compacted. */
export const expired = (): ApiFault => ({
  name: 'HTTP: 410',
  status: 410,
  body: statusOf(410, 'Expired', 'The resourceVersion for the provided watch is too old.'),
});

const broken = (): ApiFault => ({
  name: 'HTTP: 500',
  status: 500,
  body: statusOf(500, 'InternalError', 'Internal error occurred: etcdserver: request timed out'),
});

/** etcd took it, and the API server did not hear of it in time. */
const lost = (): ApiFault => ({ ...broken(), name: 'HTTP: 500, although it was done', isDone: true });

const statusOf = (code: number, reason: string, message: string, details: object = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  details,
  code,
});

function verbOf(method: string, name: string | undefined): string {
  if (method === 'GET') return name ? 'get' : 'list';
  return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method;
}

export function partsOf(path: string) {
  const { pathname } = new URL(path, 'http://any');
  const found =
    /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?/.exec(
      pathname,
    );
  const [, namespace, resource = 'any', name, subresource] = found ?? [];
  return { namespace, resource, name, subresource };
}
