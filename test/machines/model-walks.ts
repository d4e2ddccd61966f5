import fc from 'fast-check';
import { DEFAULT_POLICY, ON_NOTICE } from '../../contracts/policy.ts';
import type { Policy } from '../../contracts/types.ts';
import { ModelCluster } from './model-cluster.ts';
import { ModelHost, type Start } from './model-host.ts';
import { InvariantViolation, ModelInvariants } from './model-invariants.ts';
import { type Move, make, moves, movesWithNotices, type World } from './model-moves.ts';
import { maybe, oneOf, plans, policies } from './model-plans.ts';
import type { Say } from './model-report.ts';
import { digestOf } from './model-watcher.ts';

/** A walk of a job through a model of a cluster. */
export interface ModelWalk extends Start {
  /** What an amendment makes of the policy. */
  readonly otherPolicy: Policy | undefined;
  /** How often all goes well before anything else happens. */
  readonly calm: number;
  readonly moves: readonly Move[];
}

export const modelWalks: fc.Arbitrary<ModelWalk> = fc.record({
  plan: plans,
  queued: oneOf(false, false, false, true),
  otherPolicy: maybe(policies),
  calm: fc.nat({ max: 5 }),
  moves,
});

/** The same of jobs that leave nodes of which a source says that they are not well. */
export const walksWithNotices: fc.Arbitrary<ModelWalk> = fc
  .tuple(
    modelWalks.filter(({ plan }) => plan.roles.every(({ reactions }) => !reactions)),
    fc.record({ onSick: oneOf(...ON_NOTICE), onLeaving: oneOf(...ON_NOTICE) }),
    movesWithNotices,
  )
  .map(([walk, nodes, moves]) => {
    const { policy = DEFAULT_POLICY } = walk.plan;
    const plan = { ...walk.plan, policy: { ...policy, nodes: { ...policy.nodes, ...nodes } } };
    return { ...walk, plan, moves };
  });

const CALM: Move = { does: 'all goes well', which: 0, slack: 0, isHeardLater: false };

export function runModel({ otherPolicy, calm, moves, ...start }: ModelWalk, say?: Say): World {
  const cluster = new ModelCluster();
  const invariants = new ModelInvariants(cluster);
  const host = new ModelHost(start, cluster, invariants);
  invariants.host = host;
  const world = { cluster, host, otherPolicy, wire: [], received: [] };
  say?.(`A job with ${JSON.stringify({ ...start, otherPolicy })}`);
  say?.(placeOf(host));
  for (const move of [...Array.from({ length: calm }, () => CALM), ...moves]) {
    say?.(`- ${move.does} (${move.which}; ${move.slack})${move.isHeardLater ? ', received later' : ''}`);
    make(move, world);
    say?.(placeOf(host));
  }
  return world;
}

/** Each is a pass over all pods, what is under way, and the watcher's word. */
const MOST_ROUNDS = 300;
const A_WHILE_MS = 60_000;

/**
 * From anywhere, in a cluster where all goes well and with a person who resumes what is suspended, a job comes to its end:
 * there is no state without a way out.
 */
export function runToEnd({ cluster, host }: World, say?: Say): void {
  for (const node of cluster.nodes) cluster.trouble(node, undefined);
  for (const node of cluster.nodes) if (node.notice) cluster.notice(node, undefined);
  for (let round = 0; !host.isOver && round < MOST_ROUNDS; round++) {
    const before = describeProgress(host);
    if (round < ROUNDS_SHOWN) say?.('- all goes well from now on');
    advanceAll(host);
    if (round < ROUNDS_SHOWN) say?.(placeOf(host));
    if (describeProgress(host) === before) host.waitUntil(host.nextTimer()?.at ?? cluster.now + A_WHILE_MS);
  }
  if (!host.isOver) throw new InvariantViolation(`violated: every job ends (it is ${host.state})`);
}

const ROUNDS_SHOWN = 12;

const describeProgress = ({ state, cluster, context, lane }: ModelHost) =>
  `${state} ${cluster.resourceVersion} ${context.attempt} ${lane?.effect.type}`;

function advanceAll(host: ModelHost): void {
  const { cluster } = host;
  host.work(100);
  host.wake();
  if (host.state.startsWith('Suspended.')) resume(host);
  if (cluster.group) cluster.setGroup(cluster.group, true);
  for (const pod of cluster.pods) cluster.advance(pod);
  host.receive(digestOf(cluster));
  host.wake();
}

function resume(host: ModelHost): void {
  const cause = { reason: 'Suspended', message: 'resumed at the end' } as const;
  host.push({ type: 'resume', cause, at: host.cluster.now });
}

function placeOf({ state, context, cluster, lane, job: { deadlines } }: ModelHost): string {
  const { restarts, charges, exempt, ladder, succeededIndices } = context;
  const pods = cluster.pods.map(
    ({ uid, attempt, state: is, leavesAt }) =>
      `${uid} of ${attempt} ${leavesAt === undefined ? '' : 'terminating, '}${is}`,
  );
  return [
    `  ${cluster.now / 1000} s: ${state} of attempt ${context.attempt}`,
    `    does ${lane ? JSON.stringify(lane.effect) : 'nothing'}`,
    `    pods: ${pods.join('; ') || 'none'}`,
    `    knows ${JSON.stringify({ restarts, charges, exempt, ladder, succeededIndices, deadlines })}`,
  ].join('\n');
}
