import fc from 'fast-check';
import type { Digest } from '../../contracts/digest.ts';
import { VERDICTS } from '../../contracts/node-notice.ts';
import { NODE_TROUBLES } from '../../contracts/policy.ts';
import type { Cause, Policy } from '../../contracts/types.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import { planned } from './builders.ts';
import type { ModelCluster, ModelPod } from './model-cluster.ts';
import type { ModelHost } from './model-host.ts';
import { digestOf } from './model-watcher.ts';

/** A job, its cluster, and what the watcher has said that nobody has received yet. */
export interface World {
  readonly cluster: ModelCluster;
  readonly host: ModelHost;
  /** What an amendment makes of the policy. */
  readonly otherPolicy: Policy | undefined;
  wire: Digest[];
  received: Digest[];
}

/** Something that happens; `which` says to whom, how, how long. */
export interface Move {
  readonly does: keyof typeof MOVES;
  readonly which: number;
  /** What an activity that is cancelled by it still does. */
  readonly slack: number;
  /** The machine takes it in only with the next. */
  readonly isHeardLater: boolean;
}

type Act = (world: World, which: number) => void;

/** What may happen, and how often of 100 times or so. */
const MOVES = {
  'all goes well': [12, goWell],
  'the watcher tells': [8, sendDigest],
  'an activity gets on': [8, ({ host }, which) => host.work(1 + (which % 4))],
  'an activity ends': [5, ({ host }) => host.work(100)],
  'a pod gets on': [6, onPod((cluster, pod) => cluster.advance(pod))],
  'a pod fails': [8, onPod((cluster, pod, which) => cluster.fail(pod, CODES[which % CODES.length]!))],
  'a pod fails, and its digest arrives': [
    6,
    (world, which) => {
      onPod((cluster, pod, code) => cluster.fail(pod, CODES[code % CODES.length]!))(world, which);
      sendDigest(world);
    },
  ],
  'a pod is evicted': [3, onPod((cluster, pod) => cluster.evict(pod))],
  'a pod is not ready any more': [1, onPod((cluster, pod) => cluster.unready(pod))],
  'a user deletes a pod': [2, onPod((cluster, pod) => cluster.delete(pod))],
  'a node is in trouble': [
    3,
    ({ cluster }, which) =>
      cluster.trouble(cluster.nodes[which % 3]!, NODE_TROUBLES[(which >> 2) % NODE_TROUBLES.length]),
  ],
  // Only in walks of their own.
  'a source says of a node that it is not well': [
    0,
    ({ cluster }, which) =>
      cluster.notice(cluster.nodes[which % 3]!, VERDICTS[(which >> 2) % VERDICTS.length]),
  ],
  'it says so no more': [0, ({ cluster }, which) => cluster.notice(cluster.nodes[which % 3]!, undefined)],
  'a node is well again': [2, ({ cluster }, which) => cluster.trouble(cluster.nodes[which % 3]!, undefined)],
  'time goes by': [
    8,
    ({ host, cluster }, which) => host.waitUntil(cluster.now + TIMES[which % TIMES.length]!),
  ],
  'the engine is away': [
    1,
    ({ host, cluster }, which) => host.sleepUntil(cluster.now + TIMES[which % TIMES.length]!),
  ],
  'the watcher looks': [2, ({ wire, cluster }) => wire.push(digestOf(cluster))],
  'what it saw comes late': [3, hearLate],
  'it says something again': [
    2,
    ({ host, received }, which) =>
      received.length && host.receive(received.at(-1 - (which % received.length))!),
  ],
  'an activity begins again': [2, ({ host }) => host.retry()],
  'an activity fails for good': [
    0.4,
    ({ host }) => host.giveUp({ reason: 'ClusterRefused', message: 'refused' }),
  ],
  'continue as new': [3, ({ host }) => host.continueAsNew()],
  'the program says something': [2, ({ cluster }, which) => cluster.say(String(which))],
  'the program hangs, or goes on': [
    2,
    (world, which) => {
      world.cluster.isHung = which % 2 === 0;
      sendDigest(world);
    },
  ],
  'the checkpoint is written': [
    1,
    ({ cluster }) => {
      cluster.isCheckpointWritten = cluster.isCheckpointRequested;
    },
  ],
  'the gang is let in': [1, ({ cluster }) => cluster.group && cluster.setGroup(cluster.group, true)],
  'its queue takes its place back': [
    1,
    ({ cluster }) => {
      if (cluster.pods.length > 0) cluster.evicted = digestOf(cluster).attempt;
    },
  ],
  'the anchor is deleted': [
    0.2,
    ({ cluster }) => {
      cluster.isAnchorDeleted = true;
    },
  ],
  'ana stops it': [0.4, ask((at) => ({ type: 'stop', cause: cause('StopRequested'), at }))],
  'ana stops it after a checkpoint': [
    0.6,
    ask((at) => ({ type: 'stop', cause: cause('StopRequested'), checkpoint: true, at })),
  ],
  'ana suspends it': [1, ask((at) => ({ type: 'suspend', cause: cause('Suspended'), at }))],
  'ana resumes it': [3, ask((at) => ({ type: 'resume', cause: cause('Suspended'), at }))],
  'ana retries now': [2, ask((at) => ({ type: 'retryNow', cause: cause('ReplacingPods'), at }))],
  'ana holds it': [
    1,
    ask((at, which) => ({ type: 'hold', seconds: (which % 3) * 30, cause: cause('HeldForDebugging'), at })),
  ],
  'ana releases it': [1, ask((at) => ({ type: 'release', cause: cause('HeldForDebugging'), at }))],
  'ana extends its deadline': [
    1,
    ask((at) => ({ type: 'extendDeadline', seconds: 60, cause: cause('DeadlineExceeded'), at })),
  ],
  'ana scales it': [3, scale],
  'ana changes its policy': [1, changePolicy],
} satisfies Record<string, readonly [number, Act]>;

const CODES = [137, 1, 143];
const TIMES = [1_000, 60_000, 10_000, 600_000];

const weighted = Object.entries(MOVES).flatMap(([name, [weight]]) =>
  Array.from({ length: weight * 5 }, () => name as Move['does']),
);

/** The more harmless ones come first: that is where sequences shrink to. */
const move: fc.Arbitrary<Move> = fc.record({
  does: fc.constantFrom(...weighted),
  which: fc.nat({ max: 11 }),
  slack: fc.constantFrom(0, 0, 1, 3),
  isHeardLater: fc.constantFrom(false, false, false, true),
});
const LENGTH = { minLength: 1, maxLength: 24, size: 'max' } as const;
export const moves = fc.array(move, LENGTH);

const noticeMove: fc.Arbitrary<Move> = fc.record({
  does: fc.constantFrom('a source says of a node that it is not well', 'it says so no more'),
  which: fc.nat({ max: 11 }),
  slack: fc.constant(0),
  isHeardLater: fc.constant(false),
});
/** A quarter of them is what a source of health says. */
export const movesWithNotices = fc.array(
  fc.oneof({ weight: 3, arbitrary: move }, { weight: 1, arbitrary: noticeMove }),
  LENGTH,
);

/** A moment later. */
export function make({ does, which, slack, isHeardLater }: Move, world: World): void {
  const [, act] = MOVES[does];
  world.cluster.now += 100;
  world.host.slack = slack;
  (act as Act)(world, which);
  if (!isHeardLater) world.host.wake();
}

/** Activities end, pods come up, and the watcher says so; nothing succeeds yet. */
function goWell({ host, cluster }: World): void {
  host.work(100);
  if (cluster.group) cluster.setGroup(cluster.group, true);
  for (const pod of cluster.pods)
    if (pod.state !== 'ready' || pod.leavesAt !== undefined) cluster.advance(pod);
  host.receive(digestOf(cluster));
}

function sendDigest(world: World): void {
  const digest = digestOf(world.cluster);
  world.wire = [];
  world.received.push(digest);
  world.host.receive(digest);
}

/** In the order in which it was seen; some of it is lost. */
function hearLate(world: World, which: number): void {
  world.wire.splice(0, which % 3);
  const digest = world.wire.shift();
  if (!digest) return;
  world.received.push(digest);
  world.host.receive(digest);
}

function onPod(act: (cluster: ModelCluster, pod: ModelPod, which: number) => void): Act {
  return ({ cluster }, which) => {
    const pod = cluster.pods[which % cluster.pods.length];
    if (pod) act(cluster, pod, which >> 1);
  };
}

type Asked = Parameters<ModelHost['push']>[0];

function ask(event: (at: number, which: number) => Asked): Act {
  return ({ host, cluster }, which) => host.push(event(cluster.now, which));
}

/** Of a role that can change its size, or with a new start if the policy allows that. */
function scale({ host, cluster }: World, which: number): void {
  const isAllowed = ({ scales }: { scales?: unknown }) =>
    scales !== undefined || jobPolicy(host).scaleByRestart;
  const roles = host.plan.roles.map((role) =>
    role.name === 'Worker' && isAllowed(role) ? { ...role, replicas: 1 + (which % 3) } : role,
  );
  host.plan = { ...host.plan, roles };
  amend(host, cluster);
}

function changePolicy({ host, cluster, otherPolicy: policy }: World): void {
  host.plan = { ...host.plan, policy };
  amend(host, cluster);
}

function amend(host: ModelHost, cluster: ModelCluster): void {
  host.revision++;
  const next = planned(host.plan, host.revision);
  host.push({ type: 'amend', ...next, cause: cause('Scaling'), at: cluster.now });
}

const cause = (reason: Cause['reason']): Cause => ({ reason, message: 'asked by ana' });
