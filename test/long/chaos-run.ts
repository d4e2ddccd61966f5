import type { JobHandle } from '../../client/job-handle.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import type { Chance } from '../scenarios/chance.ts';
import { tellOf } from '../scenarios/chaos-ends.ts';
import { Hand } from '../scenarios/chaos-hand.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import type { Monkey } from '../scenarios/chaos-monkey.ts';
import { openMortalNodes } from '../scenarios/chaos-nodes.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import { openPodLedger, type PodLedger } from '../scenarios/pod-ledger.ts';
import { liveThrough } from './course.ts';
import type { Ground } from './ground.ts';
import { type Life, lives } from './jobs.ts';
import { JOBS, SECONDS } from './options.ts';
import { inviteStrangers, isStranger, type Strangers } from './strangers.ts';
import type { Tally } from './tally.ts';
import { unleash } from './unleash.ts';

/** What takes part, besides the servers and the engine. */
export interface Cast {
  readonly jobs: readonly ChaosJob[];
  readonly handles: ReadonlyMap<string, JobHandle>;
  readonly strangers: Strangers;
  readonly ledger: PodLedger;
  readonly hand: Hand;
  readonly monkey: Monkey;
  /** Submitted, and not known to have ended. */
  readonly live: Set<ChaosJob>;
  readonly lives: readonly Life[];
}

const NODES = Array.from({ length: 8 }, () => 500);
/** Jobs whose labels strangers bear. */
const COPIED = 5;

export async function openCast(
  { stage }: Ground,
  chance: Chance,
  note: (deed: string) => void,
): Promise<Cast> {
  const { cluster, namespace, client } = stage;
  const pool = await openNodePool(cluster, { nodes: NODES });
  const nodes = await openMortalNodes(cluster, pool);
  const ledger = await openPodLedger(cluster, namespace, (pod) => !isStranger(pod));
  const place = { namespace, nodeSelector: pool.nodeSelector };
  const planned = lives({ count: JOBS, ms: SECONDS * 1000, place }, chance.fork('jobs'));
  const jobs = planned.map(({ job }) => job);
  const copied = jobs.slice(0, COPIED).map(({ name }) => name);
  const strangers = await inviteStrangers(cluster, namespace, copied);
  const handles = new Map(jobs.map(({ name }) => [name, client.job({ name })] as const));
  const hand = new Hand({ stage, ledger, jobs: handles, chance: chance.fork('hand') });
  const live = new Set<ChaosJob>();
  const monkey: Monkey = {
    get jobs() {
      return [...live];
    },
    ...{ hand, nodes, chance, note },
  };
  return { jobs, handles, strangers, ledger, hand, monkey, live, lives: planned };
}

/** A bound for a broken system: from the end of the chaos to the end of the last job. */
export const REST_MS = 900_000;

interface Play {
  readonly tally: Tally;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortController;
}

/** From the first job's submission to the last one's end. Gives what does not end. */
export async function playOut(ground: Ground, cast: Cast, play: Play): Promise<readonly string[]> {
  const { monkey, jobs, live, lives } = cast;
  const { tally, ends, closing } = play;
  const course = { monkey, client: ground.stage.client, tally, live, ends, closing: closing.signal };
  const all = Promise.all(lives.map((life) => liveThrough(course, life)));
  // What goes wrong there is told at once.
  const failure = all.then(() => new Promise<never>(() => undefined));
  await Promise.race([unleash(monkey, ground, { ms: SECONDS * 1000, tally }), failure]);
  const open = () => jobs.filter(({ name }) => !ends.has(name));
  const isDone = eventually('every job is over', () => open().length === 0, { withinMs: REST_MS });
  const hung = await isDone.then(() => [], open);
  closing.abort();
  await all;
  return Promise.all(hung.map(({ name }) => tellOf(name, cast.hand)));
}
