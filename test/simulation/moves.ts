import { pathOf } from '../../cluster/wire.ts';
import { CONFIG_MAPS, type ConfigMap, type KubeObject, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS, workflowIdOf } from '../../contracts/labels.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import { WAYS } from './api-network.ts';
import { NODE_NAMES } from './nodes.ts';
import type { World } from './world.ts';

/** Something that happens to a world, and for how many steps everything goes on after it. */
export interface Move {
  readonly does: MoveName;
  /** Which pod, node, stream, request, ... */
  readonly which: number;
  readonly steps: number;
}

export interface Subject {
  readonly world: World;
  /** The job that moves are about. */
  readonly job: { readonly namespace: string; readonly name: string };
}

/** What a move is to the job that it is about; nothing is to any other job. */
export type Effect =
  /** The job goes on as if nothing had happened. */
  | 'none'
  /** Pods of the job end, are lost, or cannot start. */
  | 'trouble'
  /** A person, or somebody who edits the job's own objects, decides over it. */
  | 'intervention';

interface Kind {
  readonly weight: number;
  readonly effect: Effect;
  readonly run: (subject: Subject, which: number) => void | Promise<void>;
}

const ANCHOR_EDITS: readonly ((anchor: ConfigMap) => Partial<ConfigMap>)[] = [
  (anchor) => annotated(anchor, { [ANNOTATIONS.phase]: 'Completed' }),
  (anchor) => annotated(anchor, { [ANNOTATIONS.workflowId]: 'job/team-b/b' }),
  (anchor) => annotated(anchor, { [ANNOTATIONS.workflowId]: 'x'.repeat(5_000) }),
  (anchor) => annotated(anchor, { [ANNOTATIONS.asked]: '1' }),
  (anchor) => annotated(anchor, { [ANNOTATIONS.milestones]: '1,2', [ANNOTATIONS.decidingPod]: 'nobody' }),
  (anchor) => ({ data: { ...anchor.data, job: '{}' } }),
  (anchor) => ({ data: { ...anchor.data, status: '{' } }),
];

/** Anchors of a stranger, in a namespace of his own. */
const FORGERIES: readonly Readonly<Record<string, string>>[] = [
  { [ANNOTATIONS.workflowId]: 'x'.repeat(200_000) },
  { [ANNOTATIONS.workflowId]: 'job/team-b/b' },
  { [ANNOTATIONS.workflowId]: 'job/other/none', [ANNOTATIONS.phase]: 'Running' },
  { [ANNOTATIONS.workflowId]: 'a\u0000b' },
];

const PROGRESS = ['1', '2', `x${'😀'.repeat(40)}`, '\u001b[2J3', '4'];

export const MOVES = {
  'all goes on': { weight: 10, effect: 'none', run: () => undefined },
  'time goes by': {
    weight: 6,
    effect: 'none',
    run: async ({ world }, which) => world.wait(TIMES[which % TIMES.length]!),
  },
  'a while goes by, in which all goes on': {
    weight: 3,
    effect: 'none',
    run: ({ world }, which) => world.live(WHILES[which % WHILES.length]!),
  },
  'a program fails': {
    weight: 4,
    effect: 'trouble',
    run: (subject, which) => setFate(subject, which, { exitCode: EXIT_CODES[which % EXIT_CODES.length]! }),
  },
  'a program ends well': {
    weight: 2,
    effect: 'none',
    run: (subject, which) => setFate(subject, which, 'succeeds'),
  },
  'a pod is evicted': {
    weight: 1,
    effect: 'trouble',
    run: (subject, which) => withPod(subject, which, (pod) => subject.world.nodes.evict(pod)),
  },
  'a user deletes a pod': {
    weight: 2,
    effect: 'trouble',
    run: (subject, which) => withPod(subject, which, (pod) => deletePod(subject.world, pod)),
  },
  'a node is lost': {
    weight: 2,
    effect: 'trouble',
    run: ({ world }, which) => world.nodes.lose(nodeOf(which)),
  },
  'a node is back': { weight: 2, effect: 'none', run: ({ world }, which) => world.nodes.find(nodeOf(which)) },
  'a pod cannot start': {
    weight: 2,
    effect: 'trouble',
    run: ({ world, job }, which) =>
      void world.nodes.unstartable.add(`${job.name}-${ROLES[which % ROLES.length]!}`),
  },
  'pods can start': { weight: 3, effect: 'none', run: ({ world }) => world.nodes.unstartable.clear() },
  'no pod can be placed': {
    weight: 2,
    effect: 'trouble',
    run: ({ world }) => {
      world.nodes.areFull = true;
    },
  },
  'pods can be placed': {
    weight: 2,
    effect: 'none',
    run: ({ world }) => {
      world.nodes.areFull = false;
    },
  },
  'the program reports progress': { weight: 3, effect: 'none', run: report },
  'a stream of the watcher goes blind': {
    weight: 5,
    effect: 'none',
    run: ({ world }, which) =>
      world.network.blind(STREAMS[which % STREAMS.length]!, WAYS[(which >> 2) % WAYS.length]!),
  },
  'the watcher sees again': { weight: 2, effect: 'none', run: ({ world }) => world.network.heal() },
  'watches have to list anew': { weight: 1, effect: 'none', run: ({ world }) => world.network.compact() },
  'the watcher is killed': { weight: 2, effect: 'none', run: ({ world }) => world.killWatcher() },
  'a worker is killed': { weight: 2, effect: 'none', run: ({ world }, which) => world.killWorker(which) },
  'a process is paused': { weight: 1, effect: 'none', run: ({ world }, which) => world.pause(which) },
  'paused processes go on': { weight: 1, effect: 'none', run: ({ world }) => world.resume() },
  'an answer is lost': {
    weight: 3,
    effect: 'none',
    run: ({ world }, which) => void world.network.loseAnswer(which),
  },
  'Temporal is away': {
    weight: 1,
    effect: 'none',
    run: ({ world }) => {
      world.temporal.isAway = true;
    },
  },
  'Temporal is back': {
    weight: 2,
    effect: 'none',
    run: ({ world }) => {
      world.temporal.isAway = false;
    },
  },
  'a stranger forges an anchor': {
    weight: 2,
    effect: 'none',
    run: ({ world }, which) => forgeAnchor(world, which),
  },
  'a user edits the anchor': { weight: 2, effect: 'intervention', run: editAnchor },
  'a user removes the anchor’s label': { weight: 1, effect: 'intervention', run: unlabelAnchor },
  'a user deletes the anchor': { weight: 1, effect: 'intervention', run: deleteAnchor },
  'a user changes a label of a pod': {
    weight: 2,
    effect: 'intervention',
    run: (subject, which) => withPod(subject, which, (pod) => relabel(subject.world, pod, which)),
  },
  'ana stops it': { weight: 1, effect: 'intervention', run: (subject) => ask(subject, 'stop') },
  'ana suspends it': { weight: 2, effect: 'intervention', run: (subject) => ask(subject, 'suspend') },
  'ana resumes it': { weight: 2, effect: 'none', run: (subject) => ask(subject, 'resume') },
  'its workflow is terminated': {
    weight: 1,
    effect: 'intervention',
    run: ({ world, job }) => world.terminate(idOf(job)),
  },
  'the leader changes': {
    weight: 2,
    effect: 'none',
    run: ({ world }, which) => world.changeLeader(which % 2 === 0),
  },
  'a lane is paused': { weight: 1, effect: 'none', run: ({ world }) => world.setLanes({ paused: 'nights' }) },
  'a lane is faulty': { weight: 1, effect: 'none', run: ({ world }) => world.setLanes({ weight: -1 }) },
  'a lane is open': { weight: 2, effect: 'none', run: ({ world }) => world.setLanes({}) },
  'its history is long': {
    weight: 1,
    effect: 'none',
    run: ({ world, job }) => world.temporal.last(idOf(job))?.host.growsTo(20_000),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type MoveName = keyof typeof MOVES;

const WHILES = [1_000, 10_000, 60_000];
const TIMES = [500, 5_000, 20_000, 70_000, 200_000];
const EXIT_CODES = [1, 137, 143, 2];
const STREAMS = ['pods', 'configmaps', 'nodes', 'pods'];
const ROLES = ['worker-0', 'master-0', 'worker-1'];
export const STEP_ANNOTATION = 'example.com/step';

const nodeOf = (which: number) => NODE_NAMES[which % NODE_NAMES.length]!;
export const idOf = workflowIdOf;

export const podsOf = ({ world, job: { namespace, name } }: Subject): readonly Pod[] =>
  world.nodes.pods.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.name.startsWith(`${name}-`),
  );

function withPod(subject: Subject, which: number, work: (pod: Pod) => void): void {
  const pods = podsOf(subject);
  const pod = pods[which % Math.max(1, pods.length)];
  if (pod) work(pod);
}

function setFate(subject: Subject, which: number, fate: 'succeeds' | { readonly exitCode: number }): void {
  withPod(subject, which, (pod) => {
    if (!hasPodEnded(pod)) subject.world.nodes.fates.set(pod.metadata.uid!, fate);
  });
}

function deletePod({ server }: World, { metadata: { namespace, name } }: Pod): void {
  server.answer({ method: 'DELETE', path: pathOf(PODS, namespace, name) });
}

function report(subject: Subject, which: number): void {
  const { world } = subject;
  const pod = podsOf(subject).find(({ metadata }) => /(master|worker)-0$/.test(metadata.name));
  if (!pod || hasPodEnded(pod)) return;
  const value = PROGRESS[which % PROGRESS.length]!;
  world.logs.write(pod, `step=${value} at ${world.time.now}`);
  world.server.write('pods', pod, annotated(pod, { [STEP_ANNOTATION]: `${value} ${world.time.now}` }));
}

const annotated = <T extends KubeObject>(object: T, annotations: Readonly<Record<string, string>>) =>
  ({
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
  }) as Partial<T>;

const anchorOf = ({ world, job: { namespace, name } }: Subject) =>
  world.server.find<ConfigMap>('configmaps', namespace, anchorNameOf(name));

function editAnchor(subject: Subject, which: number): void {
  const anchor = anchorOf(subject);
  const edit = ANCHOR_EDITS[which % ANCHOR_EDITS.length]!;
  if (anchor) subject.world.server.write('configmaps', anchor, edit(anchor));
}

function unlabelAnchor(subject: Subject, which: number): void {
  const anchor = anchorOf(subject);
  if (!anchor) return;
  const label = [LABELS.anchor, LABELS.installation, LABELS.job][which % 3]!;
  subject.world.server.write('configmaps', anchor, unlabelled(anchor, label));
}

const unlabelled = <T extends KubeObject>({ metadata }: T, label: string) => {
  const { [label]: _, ...labels } = metadata.labels ?? {};
  return { metadata: { ...metadata, labels } } as Partial<T>;
};

function deleteAnchor(subject: Subject): void {
  const { namespace, name } = subject.job;
  if (!anchorOf(subject)) return;
  const path = pathOf(CONFIG_MAPS, namespace, anchorNameOf(name));
  subject.world.server.answer({ method: 'DELETE', path });
}

function relabel({ server }: World, pod: Pod, which: number): void {
  const label = [LABELS.job, LABELS.attempt, LABELS.role, LABELS.pod][which % 4]!;
  if (which % 8 < 4) server.write('pods', pod, unlabelled(pod, label));
  else
    server.write('pods', pod, {
      metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [label]: LIES[which % LIES.length]! } },
    });
}

const LIES = ['b', 'a', '7', 'worker'];

function forgeAnchor({ server }: World, which: number): void {
  const own = server.all<ConfigMap>('configmaps').find(({ metadata }) => metadata.labels?.[LABELS.anchor]);
  const name = anchorNameOf(`forged-${which}`);
  if (!own || server.find('configmaps', 'other', name)) return;
  server.add('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'other',
      labels: { ...own.metadata.labels },
      annotations: { ...own.metadata.annotations, ...FORGERIES[which % FORGERIES.length]! },
    },
    data: own.data,
  } as ConfigMap);
}

function ask({ world, job }: Subject, request: string): void {
  const run = world.temporal.last(idOf(job));
  if (run?.isOpen && run.tasks > 0) run.update(request, {});
}
