import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { bindWithinMs } from '../../contracts/gated-gang.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { GANG_GATE, LABELS } from '../../contracts/labels.ts';
import { attemptOf } from '../../contracts/objects.ts';
import { gatesOf, isPodReady } from '../../contracts/pod.ts';
import { Chance } from '../scenarios/chance.ts';
import { gangJob } from '../scenarios/gang-jobs.ts';
import { type NodePool, openNodePool } from '../scenarios/node-pool.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { LastingEngine } from './lasting-engine.ts';
import { openLongSandbox } from './sandbox.ts';

/**
 * Gated gangs, pods of others that come and go, and workers and watchers that are killed. Watched from outside: what a part of a
 * gang holds, and for how long. SIGNALBOX_GANGS says how many gangs, SIGNALBOX_GATED_SEED repeats the choices of a run.
 */

const GANGS = Number(process.env.SIGNALBOX_GANGS ?? 500);
const SEED = Number(process.env.SIGNALBOX_GATED_SEED ?? Math.floor(Math.random() * 1e6));
const LIMIT_MS = 600_000 + 15_000 * GANGS;
const AT_ONCE = 12;
const NODES = [4, 4, 4];
/** A killed worker's activity goes to another one after its heartbeat time-out, and pods take a moment to go. */
const AFTER_KILL_MS = 20_000;
const LOOK_MS = 250;

const chance = new Chance(SEED);
const closing = new AbortController();
const engines: LastingEngine[] = [];
let stage: Stage;
let pool: NodePool;

beforeAll(async () => {
  const sandbox = await openLongSandbox();
  stage = await openStage({ sandbox });
  pool = await openNodePool(stage.cluster, { nodes: NODES });
  for (const name of ['worker-0', 'worker-1', 'watcher-0', 'watcher-1']) {
    const logFile = join(sandbox.dir, 'engines', `gated-${name}.log`);
    const command = name.startsWith('worker') ? 'worker' : 'watcher';
    const engine = new LastingEngine(command, sandbox, { logFile, settings: {} });
    engines.push(engine);
    await engine.start();
  }
}, 600_000);

afterAll(async () => {
  closing.abort();
  await Promise.all(engines.map((engine) => engine.stop()));
  await pool?.remove();
  await stage?.close();
}, 120_000);

interface Seen {
  /** How long parts of gangs held nodes, with how long they may, in milliseconds. */
  readonly held: { readonly ms: number; readonly mayMs: number; readonly gang: string }[];
  /** Moments with more than one gang whose gates are gone and whose pods wait. */
  readonly together: string[];
  kills: number;
  others: number;
}

const seen: Seen = { held: [], together: [], kills: 0, others: 0 };

it(
  `${GANGS} gangs run, one at a time, and no part of one holds nodes for long (seed ${SEED})`,
  async () => {
    const work = [watch(), comeAndGo(), killEngines()];
    const attempts = await runGangs();
    closing.abort();
    await Promise.all(work);
    const longest = seen.held.toSorted((a, b) => b.ms - b.mayMs - (a.ms - a.mayMs)).slice(0, 3);
    const rolledBack = attempts.filter((count) => count > 1).length;
    console.info(
      JSON.stringify({
        gangs: GANGS,
        seed: SEED,
        kills: seen.kills,
        others: seen.others,
        rolledBack,
        longest,
      }),
    );
    expect(seen.together).toEqual([]);
    expect(seen.held.filter(({ ms, mayMs }) => ms > mayMs + AFTER_KILL_MS)).toEqual([]);
    expect(seen.kills).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

/** Submits gangs, some at a time, and ends each after it has run; returns the number of attempts of each. */
async function runGangs(): Promise<readonly number[]> {
  const left = Array.from({ length: GANGS }, (_, index) => `gang-${index}`);
  const attempts: number[] = [];
  const one = async () => {
    for (let name = left.shift(); name; name = left.shift()) {
      const pods = chance.between(2, 7);
      const { namespace } = stage;
      const job = await stage.client.submit(gangJob({ name, namespace, pool, pods, gang: 'gated' }));
      attempts.push(await endOf(job, name, pods));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return attempts;
}

async function endOf(job: JobHandle, name: string, pods: number): Promise<number> {
  for (;;) {
    await delay(LOOK_MS * 2);
    const members = await stage.pods(name);
    if (members.length === pods && members.every(isPodReady)) break;
  }
  await delay(chance.between(200, 3_000));
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  const { phase, attempt } = await job.wait();
  expect(phase).toBe('Completed');
  return attempt;
}

/** Pods of others take a slot for some seconds. */
async function comeAndGo(): Promise<void> {
  const { cluster, namespace } = stage;
  const resources = { limits: { [pool.resource]: '1' } };
  const going: Promise<unknown>[] = [];
  while (!closing.signal.aborted) {
    const name = `other-${seen.others++}`;
    await cluster.create(PODS, {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } },
      spec: {
        ...{ nodeSelector: pool.nodeSelector, terminationGracePeriodSeconds: 0 },
        containers: [{ name: 'main', image: 'other:1', resources }],
      },
    });
    going.push(delay(chance.between(1_000, 8_000)).then(() => cluster.delete(PODS, namespace, name)));
    await delay(chance.between(300, 2_500));
  }
  await Promise.all(going);
}

async function killEngines(): Promise<void> {
  while (!closing.signal.aborted) {
    await delay(chance.between(6_000, 15_000));
    const engine = chance.pick(engines)!;
    if (closing.signal.aborted) return;
    await engine.kill();
    seen.kills++;
    await delay(chance.between(200, 3_000));
    await engine.start();
  }
}

/** Looks at all pods again and again. */
async function watch(): Promise<void> {
  const since = new Map<string, number>();
  while (!closing.signal.aborted) {
    const { items } = await stage.cluster.list(PODS, {
      ...{ namespace: stage.namespace, labelSelector: LABELS.gated },
    });
    const now = Date.now();
    const gangs = Map.groupBy(items, (pod) => `${pod.metadata.labels?.[LABELS.job]}.${attemptOf(pod)}`);
    const waiting = [...gangs].filter(([, pods]) => pods.some(waitsForNode)).map(([gang]) => gang);
    if (waiting.length > 1) seen.together.push(`${new Date(now).toISOString()}: ${waiting.join(', ')}`);
    const partial = [...gangs].filter(([, pods]) => isPartial(pods));
    for (const [gang, pods] of partial) {
      const ms = now - (since.get(gang) ?? now);
      since.set(gang, now - ms);
      const known = seen.held.findIndex((one) => one.gang === gang);
      const held = { gang, ms, mayMs: bindWithinMs(sizeOf(pods)) };
      if (known < 0) seen.held.push(held);
      else seen.held[known] = held;
    }
    const names = new Set(partial.map(([gang]) => gang));
    for (const gang of since.keys()) if (!names.has(gang)) since.delete(gang);
    await delay(LOOK_MS);
  }
}

const waitsForNode = ({ spec, metadata }: Pod) =>
  !spec.nodeName && !gatesOf(spec).includes(GANG_GATE) && !metadata.deletionTimestamp;

/** Some members have nodes, and others wait for theirs. */
const isPartial = (pods: readonly Pod[]) =>
  pods.some(({ spec }) => spec.nodeName) && pods.some(({ spec }) => !spec.nodeName);

const sizeOf = ([pod]: readonly Pod[]) => Number(pod?.metadata.labels?.[LABELS.gated]?.split('-').at(-1));
