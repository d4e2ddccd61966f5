import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../../cluster/client.ts';
import { EVENTS, PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { type LocalNodeCluster, startLocalNodeCluster } from './local-node-cluster.ts';
import { mainOf, type podsOf } from './local-node-pods.ts';
import { isAwake, sleeps, uniqueTime } from './sleepers.ts';
import { FIRST_RUN_MS, until } from './support.ts';

let cluster: LocalNodeCluster;
let client: ClusterClient;
let pods: ReturnType<typeof podsOf>;
/** A folder for notes of programs and hooks, which outlives their pods. */
let notes: string;

beforeAll(async () => {
  cluster = await startLocalNodeCluster();
  ({ client, pods } = cluster);
  notes = join(cluster.dir, 'notes');
  await mkdir(notes);
}, FIRST_RUN_MS);

afterAll(() => cluster.remove());

const NOTES = '/signalbox-notes';
/** Longer than any test takes. */
const LONG_GRACE = 600;
const FOREVER = 'while :; do sleep 0.1; done';

interface Hooked {
  readonly script: string;
  /** Run by `sh -c`. */
  readonly hook?: string;
  readonly preStop?: object;
  readonly grace?: number;
}

/** Starts a pod whose program prints `ready` when its traps are set. It and its hook share a folder for notes. */
async function runHooked(name: string, hooked: Hooked, spec = {}) {
  const { script, hook, preStop = { exec: { command: ['sh', '-c', hook] } }, grace = LONG_GRACE } = hooked;
  const volumes = [{ name: 'notes', hostPath: { path: notes } }];
  const container = {
    volumeMounts: [{ name: 'notes', mountPath: NOTES }],
    workingDir: NOTES,
    lifecycle: { preStop },
  };
  await pods.run(name, script, { volumes, terminationGracePeriodSeconds: grace, ...spec }, container);
  await until(`${name} is ready`, async () => (await pods.logOf(name).catch(() => '')).includes('ready\n'));
}

const noteOf = (name: string) => readFile(join(notes, name), 'utf8');
const noted = (name: string, text: string) =>
  until(`${name} says ${text}`, async () => (await noteOf(name)).includes(text));

/** Resolves when the pod is gone, with the last reported end of its container. */
async function deletePod(name: string) {
  const { resourceVersion = '' } = (await pods.get(name)).metadata;
  await client.delete(PODS, 'default', name);
  const selection = { namespace: 'default', fieldSelector: `metadata.name=${name}`, resourceVersion };
  let last: Pod | undefined;
  for await (const { type, object } of client.watch(PODS, selection)) {
    if (type === 'DELETED') break;
    last = object;
  }
  return last && mainOf(last)?.state?.terminated;
}

async function failuresOf(name: string): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${name},reason=FailedPreStopHook`;
  const { items } = await client.list(EVENTS, { namespace: 'default', fieldSelector });
  return items.map(({ message }) => message as string);
}

describe('a preStop hook', () => {
  it('asks process 1 to save and exit before SIGTERM is sent', async () => {
    const script = `trap 'echo saved >> saves; exit 7' USR1; trap 'echo term >> saves' TERM; echo ready; ${FOREVER}`;
    await runHooked('saves', { script, hook: 'kill -s USR1 1; sleep 1000' });
    expect(await deletePod('saves')).toMatchObject({ exitCode: 7 });
    expect(await noteOf('saves')).toBe('saved\n');
    expect(await failuresOf('saves')).toEqual([]);
  });

  it('ends before SIGTERM is sent', async () => {
    const script = `trap 'echo term >> order; exit 0' TERM; echo ready; ${FOREVER}`;
    await runHooked('order', { script, hook: 'sleep 0.5; echo hook >> order' });
    expect(await deletePod('order')).toMatchObject({ exitCode: 0 });
    expect(await noteOf('order')).toBe('hook\nterm\n');
  });

  it('that takes longer than the grace period leaves time for SIGTERM before SIGKILL', async () => {
    const script = `trap 'echo term >> long' TERM; echo ready; ${FOREVER}`;
    await runHooked('long', { script, hook: 'echo hook >> long; sleep 1000', grace: 1 });
    expect(await deletePod('long')).toMatchObject({ exitCode: 137, signal: 9 });
    expect(await noteOf('long')).toBe('hook\nterm\n');
  });

  it.each([
    ['fails', 'exit 3', 'exit code 3'],
    ['missing', 'exec no-such-program', 'exit code 127'],
  ])('that %s is reported by an event, and SIGTERM follows', async (name, hook, why) => {
    const script = `trap 'exit 5' TERM; echo ready; ${FOREVER}`;
    await runHooked(name, { script, hook });
    expect(await deletePod(name)).toMatchObject({ exitCode: 5 });
    const events = await until('an event says so', async () => {
      const found = await failuresOf(name);
      return found.length > 0 && found;
    });
    expect(events).toEqual([`PreStopHook failed: container "main": ${why}`]);
  });

  it('does not run for a program that exits by itself', async () => {
    await runHooked('itself', { script: 'echo ready; exit 4', hook: 'echo hook >> itself' });
    const pod = await pods.isPhase('itself', 'Failed');
    expect(mainOf(pod)?.state?.terminated).toMatchObject({ exitCode: 4 });
    await deletePod('itself');
    expect(existsSync(join(notes, 'itself'))).toBe(false);
  });

  it('runs once, and a second deletion shortens its time', async () => {
    const script = `trap 'echo term >> twice' TERM; echo ready; ${FOREVER}`;
    await runHooked('twice', { script, hook: 'echo hook >> twice; sleep 1000' });
    await client.delete(PODS, 'default', 'twice');
    await noted('twice', 'hook');
    await client.delete(PODS, 'default', 'twice', { gracePeriodSeconds: 1 });
    await pods.isGone('twice');
    expect(await noteOf('twice')).toBe('hook\nterm\n');
  });

  it('ends at once when its pod is deleted by force', async () => {
    const time = uniqueTime();
    await runHooked('forced', { script: `trap '' TERM; echo ready; ${FOREVER}`, hook: `sleep ${time}` });
    await client.delete(PODS, 'default', 'forced');
    await sleeps(time);
    await client.delete(PODS, 'default', 'forced', { gracePeriodSeconds: 0 });
    await isAwake(time);
  });

  it('runs when a pod exceeds its active deadline', async () => {
    const script = `trap 'exit 0' TERM; echo ready; ${FOREVER}`;
    await runHooked('late', { script, hook: 'echo hook >> late' }, { activeDeadlineSeconds: 5 });
    expect((await pods.isPhase('late', 'Failed')).status?.reason).toBe('DeadlineExceeded');
    expect(await noteOf('late')).toBe('hook\n');
  });

  it('of a sidecar runs when the other containers have ended', async () => {
    const sidecar = {
      ...{ name: 'sidecar', image: 'ignored', restartPolicy: 'Always', workingDir: NOTES },
      command: ['sh', '-c', `trap 'echo term >> side; exit 0' TERM; touch side-ready; ${FOREVER}`],
      volumeMounts: [{ name: 'notes', mountPath: NOTES }],
      lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo hook >> side'] } } },
    };
    const script = 'echo ready; while [ ! -e side-ready ]; do sleep 0.1; done; echo main >> side';
    await runHooked('side', { script, hook: 'echo never >> side' }, { initContainers: [sidecar] });
    await pods.isPhase('side', 'Succeeded');
    expect(await noteOf('side')).toBe('main\nhook\nterm\n');
  });

  it('may be a sleep', async () => {
    const script = `trap 'date +%s%3N > slept; exit 0' TERM; echo ready; ${FOREVER}`;
    await runHooked('sleeps', { script, preStop: { sleep: { seconds: 1 } } });
    const asked = Date.now();
    expect(await deletePod('sleeps')).toMatchObject({ exitCode: 0 });
    expect(Number(await noteOf('slept'))).toBeGreaterThanOrEqual(asked + 1_000);
  });
});
