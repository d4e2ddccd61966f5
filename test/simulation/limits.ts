import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { isPodReady } from '../../contracts/pod.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { NODE_LOST, RECOVERY, STALL, START_UP } from '../../machines/model/job-context.ts';
import type { Change } from './api-server.ts';
import { STEP_ANNOTATION } from './moves.ts';
import { isWell } from './nodes.ts';

/** What the API server has stored, in its order, and what a job says of itself. */
export interface LimitCheck {
  readonly changes: readonly Change[];
  readonly entries: readonly LedgerEntry[];
  readonly namespace: string;
}

/** The workflow asks, and waits for the answer: what it judges by was true at most so long before. */
const RECENT_MS = 60_000;

/** Limits that were judged by what was not true: a sentence for each. */
export function limitsOf({ changes, entries, namespace }: LimitCheck): string[] {
  return entries.flatMap(({ at, cause, to, from, message }) => {
    if (cause.type !== 'timer' || to === from) return [];
    const isTrouble = TROUBLES[cause.timer];
    if (!isTrouble) return [];
    const time = Date.parse(at);
    const states = statesBetween(changes, {
      namespace,
      from: askedBefore(changes, namespace, time),
      to: time,
    });
    return states.some(isTrouble)
      ? []
      : [`violated: ${cause.timer} was judged by what was not true at ${at}: ${message}`];
  });
}

interface ClusterState {
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly at: number;
}

const TROUBLES: Readonly<Record<string, (state: ClusterState) => boolean>> = {
  [START_UP]: ({ pods }) => pods.some((pod) => !isPodReady(pod)),
  [RECOVERY]: ({ pods }) => pods.some((pod) => !isPodReady(pod)),
  [NODE_LOST]: ({ pods, nodes }) =>
    pods.some(({ spec }) => nodes.some((node) => node.metadata.name === spec.nodeName && !isWell(node))),
  [STALL]: ({ pods, at }) => {
    const main =
      pods.find(({ metadata }) => metadata.name.endsWith('-master-0')) ??
      pods.find(({ metadata }) => metadata.name.endsWith('-0'));
    return main === undefined || at - lastSignOf(main) >= STALLED_MS;
  },
};

/** As the policies of schedules say. */
const STALLED_MS = 60_000;

/** When the program of a pod reported something last, or began. */
function lastSignOf({ metadata, status }: Pod): number {
  const reported = Number(metadata.annotations?.[STEP_ANNOTATION]?.split(' ')[1] ?? 0);
  const [container] = status?.containerStatuses ?? [];
  return Math.max(reported, Date.parse(container?.state?.running?.startedAt ?? '') || 0);
}

/** When the job last asked its watcher before this time. */
function askedBefore(changes: readonly Change[], namespace: string, time: number): number {
  const asked = changes.flatMap(({ at, plural, before, after }) => {
    if (plural !== 'configmaps' || after?.metadata.namespace !== namespace || at > time) return [];
    const question = after.metadata.annotations?.[ANNOTATIONS.asked];
    return question !== undefined && question !== before?.metadata.annotations?.[ANNOTATIONS.asked]
      ? [at]
      : [];
  });
  return asked.at(-1) ?? time - RECENT_MS;
}

/** How pods and nodes were at each moment from one time to another. */
function statesBetween(
  changes: readonly Change[],
  { namespace, from, to }: { readonly namespace: string; readonly from: number; readonly to: number },
): ClusterState[] {
  const pods = new Map<string, Pod>();
  const nodes = new Map<string, Node>();
  const states: ClusterState[] = [];
  const state = (at: number) => ({ pods: [...pods.values()], nodes: [...nodes.values()], at });
  for (const { at, plural, before, after } of changes) {
    if (at > to) break;
    if (at >= from && states.length === 0) states.push(state(from));
    const { name = '', namespace: own } = (after ?? before)!.metadata;
    if (plural === 'pods' && own === namespace) set(pods, name, after as Pod | undefined);
    if (plural === 'nodes') set(nodes, name, after as Node | undefined);
    if (at >= from) states.push(state(at));
  }
  return [...states, state(to)];
}

function set<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
