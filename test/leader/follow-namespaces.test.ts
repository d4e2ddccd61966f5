import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient, ListOptions } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { type KubeObject, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { whenAborted } from '../../language/when-aborted.ts';
import { followNamespaces } from '../../leader/follow-namespaces.ts';
import { Readiness } from '../../leader/readiness.ts';
import { TOLERATED_MS } from '../../leader/streams.ts';
import { eventually } from '../eventually.ts';

let forbidden: Set<string | undefined>;
let readiness: Readiness;
let leadership: AbortController;
let listed: (string | undefined)[];
let isListed: boolean;

beforeEach(() => {
  forbidden = new Set();
  readiness = new Readiness();
  leadership = new AbortController();
  [listed, isListed] = [[], false];
});

afterEach(() => leadership.abort());

/** An API server that has nothing, and of which rights can be taken by namespace. */
const cluster = {
  list: async (_resource: unknown, { namespace }: ListOptions) => {
    if (forbidden.has(namespace))
      throw new ApiError('GET', { status: 403, reason: 'Forbidden', message: `cannot list in ${namespace}` });
    return { items: [] as KubeObject[], metadata: { resourceVersion: '7' } };
  },
  watch: async function* (_resource: unknown, { signal }: { signal: AbortSignal }) {
    await whenAborted(signal);
    yield* [] as never[];
  },
} as unknown as ClusterClient;

const handlersIn = (namespace: string | undefined) => ({
  replaced: () => void listed.push(namespace),
  changed: () => undefined,
  deleted: () => undefined,
});

function follow(namespaces?: readonly string[]): void {
  const tools = { cluster, readiness, namespaces, log: pino({ level: 'silent' }) };
  const onListed = () => {
    isListed = true;
  };
  void followNamespaces<Pod>(tools, { resource: PODS, handlersIn, onListed }, leadership.signal);
}

const soon = { everyMs: 5, withinMs: 30_000 };
const untilListed = () => eventually('it is listed', () => isListed, soon);

describe('streams of pods', () => {
  it('are one for the whole cluster, unless namespaces are named', async () => {
    follow();
    await untilListed();
    expect([listed, readiness.streams.of('v1/pods')]).toEqual([[undefined], ['v1/pods']]);
  });

  it('are one for each namespace that is named', async () => {
    follow(['team-a', 'team-b']);
    expect(readiness.why()).toBe('v1/pods in team-a: not listed yet; v1/pods in team-b: not listed yet');
    await untilListed();
    expect(listed.sort()).toEqual(['team-a', 'team-b']);
    expect([readiness.why(), readiness.impairedBy()]).toEqual([undefined, undefined]);
  });

  it('of a namespace without rights hold up no other, and are said to be missing until it is given', async () => {
    forbidden.add('team-b');
    follow(['team-a', 'team-b']);
    await untilListed();
    expect(readiness.why()).toBeUndefined();
    expect(readiness.impairedBy()).toBe(
      'v1/pods in team-b: GET: 403 Forbidden: cannot list in team-b; its jobs are not followed',
    );
    forbidden.clear();
    await eventually('it is followed', () => listed.includes('team-b'), soon);
    expect(readiness.impairedBy()).toBeUndefined();
  });

  it('that can be read nowhere leave the process unready', async () => {
    for (const namespace of ['team-a', 'team-b']) forbidden.add(namespace);
    follow(['team-a', 'team-b']);
    await eventually(
      'both were tried',
      () => /in team-a: GET.*in team-b: GET/.test(readiness.why() ?? ''),
      soon,
    );
    expect([isListed, readiness.impairedBy()]).toEqual([false, undefined]);
  });
});

it('a vital stream that is interrupted makes a process unready only if those of all namespaces are', async () => {
  const broken = async () => {
    throw new Error('reset');
  };
  const client = (name: string) => readiness.streams.clientFor(name, { list: broken, watch: cluster.watch });
  const interrupt = (name: string) => expect(client(name).list(PODS)).rejects.toThrow('reset');
  const { interruptions } = readiness.streams;
  readiness.streams.interruptions = () =>
    interruptions.call(readiness.streams, Date.now() + TOLERATED_MS + 1);
  client('v1/pods in team-a');
  await interrupt('v1/pods in team-b');
  expect(readiness.why()).toBeUndefined();
  expect(readiness.impairedBy()).toMatch(/^v1\/pods in team-b: interrupted since .*: reset$/);
  await interrupt('v1/pods in team-a');
  expect(readiness.why()).toMatch(/in team-a: interrupted.*in team-b: interrupted/);
});
