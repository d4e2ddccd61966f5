import fc from 'fast-check';
import type { Policy } from '../../contracts/policy.ts';
import { ModelCluster } from './model-cluster.ts';
import { ModelHost, type Start } from './model-host.ts';
import { type Move, make, type World } from './model-moves.ts';
import { maybe, oneOf, plans, policies } from './model-plans.ts';
import { BrokenPromise, Promises } from './model-promises.ts';
import { lookAt } from './model-watcher.ts';

/** Lives of jobs in a model of a cluster. */
export type Beginning = Start & { readonly otherPolicy: Policy | undefined };

export const beginnings: fc.Arbitrary<Beginning> = fc.record({
  plan: plans,
  generation: oneOf(2, 2, 2, 1),
  queued: oneOf(false, false, false, true),
  otherPolicy: maybe(policies),
});

/** Hears what happened, and what came of it. */
export type Listener = (what: string, world: World) => void;

export function live(beginning: Beginning, moves: readonly Move[], listen?: Listener): World {
  const world = newWorld(beginning);
  listen?.('it is accepted', world);
  for (const move of moves) {
    make(move, world);
    listen?.(`${move.does} (${move.which}, ${move.slack})${move.isHeardLater ? ', unheard' : ''}`, world);
  }
  return world;
}

function newWorld({ otherPolicy, ...start }: Beginning): World {
  const cluster = new ModelCluster();
  const promises = new Promises(cluster);
  const host = new ModelHost(start, cluster, promises);
  promises.host = host;
  return { cluster, host, otherPolicy, wire: [], heard: [] };
}

/** Each is a pass over all pods, what is under way, and the watcher's word. */
const MOST_ROUNDS = 300;

/**
 * From anywhere, in a cluster where all goes well and with a person who releases and resumes, a job comes to its end:
 * there is no state without a way out.
 */
export function bringToAnEnd({ cluster, host }: World, listen?: Listener): void {
  for (const node of cluster.nodes) cluster.trouble(node, undefined);
  for (let round = 0; !host.isOver && round < MOST_ROUNDS; round++) {
    const before = whereabouts(host);
    getOn(host);
    listen?.('all goes well, to the end', { cluster, host, otherPolicy: undefined, wire: [], heard: [] });
    if (whereabouts(host) === before) host.waitUntil(Number.MAX_SAFE_INTEGER);
  }
  if (!host.isOver) throw new BrokenPromise(`not kept: every job ends (it is ${host.state})`);
}

const whereabouts = ({ state, cluster, context }: ModelHost) => `${state} ${cluster.revision} ${context.attempt}`;

function getOn(host: ModelHost): void {
  const { cluster } = host;
  host.work(100);
  host.wake();
  if (host.state.startsWith('Suspended.')) resume(host);
  if (cluster.group) cluster.setGroup(cluster.group, true);
  for (const pod of cluster.pods) cluster.advance(pod);
  host.hear(lookAt(cluster));
  host.wake();
}

function resume(host: ModelHost): void {
  const cause = { reason: 'Suspended', message: 'resumed at the end' } as const;
  host.push({ type: 'resume', cause, at: host.cluster.now });
}
