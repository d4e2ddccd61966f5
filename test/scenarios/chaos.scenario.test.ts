import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { blindStreams } from '../long/blind-streams.ts';
import { forgeAnchor } from '../long/forged-anchors.ts';
import { type Neighbours, openNeighbours } from '../long/neighbours.ts';
import { editAsStranger } from '../long/strangers.ts';
import { Tally } from '../long/tally.ts';
import { Chance } from './chance.ts';
import { asResource, beginJob } from './chaos-births.ts';
import { repeatOldDigests } from './chaos-digests.ts';
import { bringAboutEnd, describeJob, type Ends, followEnds, untilAllEnd } from './chaos-ends.ts';
import { type CrashableEngine, troubleEngine } from './chaos-engine.ts';
import {
  type ChaosRun,
  type Fault,
  intervene,
  repeatedly,
  troubleNodes,
  troublePods,
} from './chaos-faults.ts';
import { type ChaosJob, chaosJobs } from './chaos-jobs.ts';
import { findLeftovers } from './chaos-leftovers.ts';
import { type CrashableNodes, openCrashableNodes } from './chaos-nodes.ts';
import { endOf, PLANNED_ENDS } from './chaos-planned-ends.ts';
import { PodControl } from './chaos-pod-control.ts';
import { wrongResources } from './chaos-resources.ts';
import { type FaultyWatcher, startFaultyWatcher } from './faulty-watcher.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openPodLedger, type PodLedger } from './pod-ledger.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * Thirty-two jobs of eight pods, while pods, nodes and the engine's own processes come to harm, people intervene, words
 * come twice or late, single streams of the watcher fail, strangers edit and forge what is ours, or copy it into a namespace of
 * theirs, and the watcher's clock is another one. Every other job is born as a custom resource. Each has one end that follows from what is done to it; chance decides only on the way there.
 */

const SEED = Number(process.env.SIGNALBOX_CHAOS_SEED ?? 20_260_701);
const SECONDS = Number(process.env.SIGNALBOX_CHAOS_SECONDS ?? 20);
/** A bound for a broken system: from the end of the chaos to the end of the last job. */
const REST_MS = 240_000;
/** Of 256. */
const MOST_PODS = 190;

const closing = new AbortController();
const actions: string[] = [];
const tally = new Tally();
let stage: Stage;
let kubectl: Kubectl;
let pool: NodePool;
let nodes: CrashableNodes;
let ledger: PodLedger;
let jobs: readonly ChaosJob[];
let control: PodControl;
let ends: Ends;
let hung: readonly string[];
let faultyWatcher: FaultyWatcher;
let neighbours: Neighbours;

beforeAll(
  async () => {
    stage = await openStage();
    neighbours = await openNeighbours(stage);
    pool = await openNodePool(stage.cluster, { nodes: [500, 500, 500, 500, 500, 500] });
    nodes = await openCrashableNodes(stage.cluster, pool);
    ledger = await openPodLedger(stage.cluster, stage.namespace);
    const planned = chaosJobs({ namespace: stage.namespace, nodeSelector: pool.nodeSelector });
    jobs = planned.map((job, index) => (index % 2 === 0 ? job : asResource(job)));
    kubectl = await openKubectl(stage);
    await applyDefinitions(kubectl);
    const chance = new Chance(SEED);
    const [worker, bridge, started] = await Promise.all([
      stage.engine('worker'),
      stage.engine('bridge'),
      startFaultyWatcher(stage, chance.fork('api')),
    ]);
    faultyWatcher = started;
    control = new PodControl({ stage, ledger, jobs: await beginAll(), chance: chance.fork('hand') });
    const chaos: ChaosRun = { jobs, control, nodes, chance, note: noteFrom(Date.now()) };
    ends = followEnds(chaos, closing.signal);
    const sealed = sealFates(chaos);
    await unleash(chaos, { worker, watcher: faultyWatcher.engine, bridge });
    await nodes.bringAllBack();
    chaos.note('no more faults are injected');
    hung = await untilAllEnd(chaos, ends, REST_MS);
    chaos.note(`all is over, after ${ledger.created} pods`);
    closing.abort();
    await sealed;
  },
  SECONDS * 1000 + 2 * REST_MS + 120_000,
);

afterAll(async () => {
  closing.abort();
  if (!stage) return;
  await logActions();
  await nodes?.bringAllBack();
  await ledger?.close();
  await stage.cluster.deleteCollection(PODS, { namespace: stage.namespace }, { gracePeriodSeconds: 0 });
  await pool?.remove();
  await faultyWatcher?.close();
  await neighbours?.close();
  await stage.close();
  if (kubectl) await deleteDefinitions(kubectl);
});

/** Beside the logs of the engine. */
const logActions = () =>
  writeFile(join(stage.sandbox.dir, 'engines', `${stage.namespace}-diary.log`), actions.join('\n'));

/** Resolves when each has a workflow. */
async function beginAll(): Promise<ReadonlyMap<string, JobHandle>> {
  const begun = await Promise.all(
    jobs.map(async (job) => {
      await beginJob(stage.cluster, stage.client, job);
      const handle = stage.client.job({ name: job.name });
      await eventually(`${job.name} has a workflow`, () => handle.summary());
      return [job.name, handle] as const;
    }),
  );
  return new Map(begun);
}

const noteFrom = (start: number) => (fault: string) =>
  void actions.push(`${((Date.now() - start) / 1000).toFixed(1)} s: ${fault}`);

/** Each from a moment of its own on. */
function sealFates(chaos: ChaosRun): Promise<unknown> {
  const sealed = Promise.all(
    jobs.map((job) => {
      const startsAfterMs = chaos.chance.fork(job.name).between(SECONDS * 100, SECONDS * 800);
      return bringAboutEnd(chaos, job, { ends, startsAfterMs, closing: closing.signal });
    }),
  );
  // Awaited when all is over.
  sealed.catch(() => undefined);
  return sealed;
}

/** All at once, from the jobs' submission until so many seconds after most of their pods were there. */
async function unleash(chaos: ChaosRun, engine: CrashableEngine): Promise<void> {
  const { chance } = chaos;
  const blind = blindStreams(chaos, faultyWatcher.streams);
  const resting = new AbortController();
  const rests = resting.signal;
  const people = [1, 2, 3].map((one) => chance.fork(`person ${one}`));
  await Promise.all([
    eventually('most pods are there', () => ledger.created >= MOST_PODS, { withinMs: REST_MS })
      .then(() => delay(SECONDS * 1000))
      .finally(() => resting.abort()),
    repeatedly(rests, [30, 250], (own) => troublePods(chaos, own), chance.fork('pods')),
    repeatedly(rests, [2_000, 6_000], (own) => troubleNodes(chaos, own), chance.fork('nodes')),
    repeatedly(rests, [5_000, 12_000], (own) => troubleEngine(chaos, engine, own), chance.fork('engine')),
    repeatedly(rests, [500, 2_500], (own) => repeatOldDigests(chaos, own), chance.fork('words')),
    repeatedly(rests, [500, 2_000], counted(blind), chance.fork('blindness')),
    repeatedly(
      rests,
      [200, 1_000],
      counted((own) => editAsStranger(chaos, own)),
      chance.fork('strangers'),
    ),
    repeatedly(
      rests,
      [1_000, 3_000],
      counted((own) => forgeAnchor(chaos, own)),
      chance.fork('forgeries'),
    ),
    repeatedly(rests, [1_000, 3_000], counted(neighbours.copy(chaos)), chance.fork('neighbours')),
    ...people.map((person) => repeatedly(rests, [100, 900], (own) => intervene(chaos, own), person)),
  ]);
}

const counted =
  (act: Fault): Fault =>
  async (own) => {
    const fault = await act(own);
    tally.add(fault);
    return fault;
  };

/** With what it takes to find out why: how the job came there, and what was done to it. */
async function explain(names: readonly string[]): Promise<string> {
  const described = await Promise.all(names.map((name) => describeJob(name, control)));
  const done = actions.filter((fault) => names.some((name) => fault.includes(name)) || !fault.includes('-'));
  return [...described, ...done].join('\n');
}

describe(`thirty-two jobs in ${SECONDS} s of chaos (SIGNALBOX_CHAOS_SEED=${SEED})`, () => {
  it('all end', () => {
    expect(hung).toEqual([]);
  });

  it('each end as expected', async () => {
    const wrong = jobs.filter(({ name, plannedEnd }) => {
      const outcome = ends.get(name);
      return outcome && endOf(outcome) !== PLANNED_ENDS[plannedEnd].end;
    });
    const names = wrong.map(({ name }) => name);
    if (wrong.length > 0) throw new Error(await explain(names));
  });

  it('never had pods of two attempts at the same time', () => {
    expect(ledger.gaps).toBe(0);
    expect(ledger.violations).toEqual([]);
  });

  it('met blind streams, edits, forgeries and copies', () => {
    const kinds = Object.keys(tally.byKind).map((kind) => kind.split(':')[0]);
    expect(new Set(kinds)).toEqual(new Set(['stream', 'edit', 'forgery', 'copy']));
  });

  it('have their ends on their resources', async () => {
    await eventually('all resources say how their jobs ended', async () => {
      const wrong = await wrongResources(stage, jobs, ends);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    });
  });

  it('leave only their records, and the pods that their clean-up policy keeps', async () => {
    await eventually('nothing else is left', async () => {
      const left = await findLeftovers(control, jobs, ends);
      if (left.length > 0) throw new Error(left.join('\n'));
      return true;
    });
  });
});
