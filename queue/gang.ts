import { type GangSize, parseGangSize } from '../contracts/gated-gang.ts';
import type { Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, GANG_GATE, LABELS } from '../contracts/labels.ts';
import { anchorUidOf, attemptOf, conditionOf } from '../contracts/objects.ts';
import {
  gatesOf,
  hasPodEnded,
  isBehindGangGate,
  isLiftedOnQuota,
  isReplica,
  roleOf,
} from '../contracts/pod.ts';
import type { OwnPod } from '../explain/shape.ts';
import { compareText } from '../language/compare-text.ts';

/** A gated gang: the members of one attempt of a job, by how far they are. */
export interface Gang {
  /** Of the job's anchor. */
  readonly uid: string;
  readonly namespace: string;
  readonly job: string;
  readonly attempt: number;
  readonly size: GangSize;
  /** Since when it waits, in epoch milliseconds: gangs are served in this order. */
  readonly since: number;
  readonly priority: number;
  /** Members behind their gate. */
  readonly held: readonly OwnPod[];
  /** Members without the gate that have no node. */
  readonly lifted: readonly OwnPod[];
  /** Those of them that a scheduler may place at any moment. */
  readonly sought: readonly OwnPod[];
  /** Members with a node, also those that have ended. */
  readonly bound: number;
  /** When the last of these got its node, in epoch milliseconds. */
  readonly placedAt: number;
  /** Members that are being deleted. */
  readonly leaving: number;
  /** Gates of others on its members. */
  readonly gates: readonly string[];
  /** Members behind their gate wait for new nodes without one, if there is no room. */
  readonly liftsOnQuota: boolean;
  /** Its gates were lifted without room. */
  readonly wasLiftedOnQuota: boolean;
}

/** What the API server says of a job. Its pods say more, but a user who may edit them decides about that. */
export interface JobOfGang {
  /** When its anchor was made, in epoch milliseconds. */
  readonly createdAt?: number;
}

export interface GangsOptions {
  /** Returns the job of the anchor of a pod, if it is of this installation. Without it all are. */
  readonly jobOf?: (namespace: string, anchorUid: string) => JobOfGang | undefined;
  /** Whether a scheduler may place a pod without a node at any moment. */
  readonly isSought?: (pod: Pod) => boolean;
}

/** Adds up the members of gated gangs. Of several attempts of a job the last one counts. */
export class Gangs {
  readonly #gangs = new Map<string, Gang>();
  readonly #options: GangsOptions;

  constructor(options: GangsOptions = {}) {
    this.#options = options;
  }

  get all(): readonly Gang[] {
    return [...this.#gangs.values()];
  }

  /** Returns false for a pod that is a member of none. */
  add(pod: Pod): boolean {
    const first = gangOf(pod, this.#options);
    if (!first) return false;
    // A uid is unique, but a pod can name one of another namespace.
    const key = `${first.namespace}/${first.uid}`;
    const known = this.#gangs.get(key);
    if (!known || first.attempt > known.attempt) this.#gangs.set(key, first);
    else if (first.attempt === known.attempt) this.#gangs.set(key, merged(known, first));
    return true;
  }
}

/** Of two gangs the one that comes first. A tie goes by name, so that every watcher has the same order. */
export const compareGangs = (a: Gang, b: Gang): number =>
  b.priority - a.priority ||
  a.since - b.since ||
  compareText(a.namespace, b.namespace) ||
  compareText(a.job, b.job) ||
  compareText(a.uid, b.uid);

export const nameOfGang = ({ namespace, job }: Pick<Gang, 'namespace' | 'job'>): string =>
  `job/${namespace}/${job}`;

/** How many members exist. */
export const membersOf = ({ held, lifted, bound, leaving }: Gang): number =>
  held.length + lifted.length + bound + leaving;

/** Its members may hold nodes without each other. */
export const isBeingPlaced = (gang: Gang): boolean => {
  const { size, held, lifted, bound } = gang;
  const isPartly = lifted.length + bound > 0 && bound < size.min && held.length + lifted.length > 0;
  return isPartly && !waitsForNodes(gang);
};

/** It was lifted without room, and holds nothing: its members compete for nodes like pods of others. */
export const waitsForNodes = ({ wasLiftedOnQuota, held, lifted, bound }: Gang): boolean =>
  wasLiftedOnQuota && held.length + bound === 0 && lifted.length > 0;

/** No gate has been lifted. */
export const isHeld = ({ held, lifted, bound }: Gang): boolean =>
  held.length > 0 && lifted.length + bound === 0;

/** Returns the gang of which a pod is the only member that is known. */
function gangOf(pod: Pod, { jobOf = anyJob, isSought = () => true }: GangsOptions): Gang | undefined {
  const { metadata, spec } = pod;
  const { labels = {}, annotations = {}, namespace = '', deletionTimestamp } = metadata;
  const size = parseGangSize(labels[LABELS.gated]);
  const uid = anchorUidOf(pod);
  if (!size || uid === undefined || !isReplica(pod)) return undefined;
  const known = jobOf(namespace, uid);
  if (!known) return undefined;
  const saidSince = Number(annotations[ANNOTATIONS.queuedSince]);
  const gates = gatesOf(spec);
  const isLeaving = deletionTimestamp !== undefined && !hasPodEnded(pod);
  const isBound = spec.nodeName !== undefined;
  const isBehindGate = isBehindGangGate(pod);
  const own = { role: roleOf(pod), spec: withoutGates(pod), isCreated: true };
  const these = (are: boolean) => (are && !isLeaving ? [own] : []);
  return {
    ...{ uid, namespace, job: labels[LABELS.job] ?? '', attempt: attemptOf(pod), size },
    since: Math.max(known.createdAt ?? 0, saidSince || Date.parse(metadata.creationTimestamp ?? '') || 0),
    priority: spec.priority ?? 0,
    held: these(isBehindGate),
    lifted: these(!isBehindGate && !isBound),
    sought: these(!isBehindGate && !isBound && isSought(pod)),
    bound: these(isBound).length,
    placedAt: isBound ? Date.parse(conditionOf(pod, 'PodScheduled')?.lastTransitionTime ?? '') || 0 : 0,
    leaving: isLeaving ? 1 : 0,
    gates: gates.filter((gate) => gate !== GANG_GATE),
    liftsOnQuota: isBehindGate && isLiftedOnQuota(pod),
    wasLiftedOnQuota: !isBehindGate && isLiftedOnQuota(pod),
  };
}

const anyJob = (): JobOfGang => ({});

const withoutGates = ({ spec: { schedulingGates: _, ...spec } }: Pod) => spec;

const merged = (a: Gang, b: Gang): Gang => ({
  ...a,
  size: a.size.total >= b.size.total ? a.size : b.size,
  since: Math.min(a.since, b.since),
  priority: Math.min(a.priority, b.priority),
  held: [...a.held, ...b.held],
  lifted: [...a.lifted, ...b.lifted],
  sought: [...a.sought, ...b.sought],
  bound: a.bound + b.bound,
  placedAt: Math.max(a.placedAt, b.placedAt),
  leaving: a.leaving + b.leaving,
  gates: [...new Set([...a.gates, ...b.gates])],
  liftsOnQuota: a.liftsOnQuota || b.liftsOnQuota,
  wasLiftedOnQuota: a.wasLiftedOnQuota || b.wasLiftedOnQuota,
});
