import type { ClusterClient } from '../../cluster/client.ts';
import { reflect } from '../../cluster/reflector.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';

/** Every pod of a namespace from its creation to its end, in the order in which the API server tells it. */
export interface PodLedger {
  /** What must never be: pods of two attempts of a job, or two of one name, at the same time. */
  readonly violations: readonly string[];
  /** Pods created so far. */
  readonly created: number;
  /** All of them, in this order. */
  readonly known: readonly KnownPod[];
  /** Times that the stream broke so that something may have been missed. */
  readonly gaps: number;
  /** Names of those that ended by themselves before they were deleted, if they were. */
  readonly ended: ReadonlySet<string>;
  /** Of a job, those that have neither ended nor been told to. */
  live(job: string): readonly Pod[];
  all(): readonly Pod[];
  close(): Promise<void>;
}

export interface KnownPod {
  readonly uid: string;
  readonly name: string;
  readonly job: string;
}

export async function openPodLedger(
  cluster: ClusterClient,
  namespace: string,
  isMeant: (pod: Pod) => boolean = () => true,
): Promise<PodLedger> {
  const closing = new AbortController();
  const present = new Map<string, Pod>();
  const violations: string[] = [];
  const ended = new Set<string>();
  const known: KnownPod[] = [];
  let lists = 0;
  const note = (pod: Pod) => {
    if (!isMeant(pod)) return;
    const uid = pod.metadata.uid!;
    if (!present.has(uid)) {
      known.push({ uid, name: pod.metadata.name, job: jobOf(pod) });
      for (const other of present.values()) violations.push(...clashOf(other, pod));
    }
    present.set(uid, pod);
    if (hasEnded(pod)) ended.add(pod.metadata.name);
  };
  const handlers = {
    replaced: (pods: readonly Pod[]) => {
      lists++;
      const uids = new Set(pods.map(({ metadata }) => metadata.uid));
      for (const uid of present.keys()) if (!uids.has(uid)) present.delete(uid);
      pods.forEach(note);
    },
    changed: note,
    deleted: (pod: Pod) => void present.delete(pod.metadata.uid!),
  };
  const following = reflect(cluster, { resource: PODS, selection: { namespace } }, handlers, closing.signal);
  await eventually('the ledger is open', () => lists > 0);
  return {
    violations,
    ended,
    known,
    get created() {
      return known.length;
    },
    get gaps() {
      return lists - 1;
    },
    live: (job) => [...present.values()].filter((pod) => jobOf(pod) === job && isLive(pod)),
    all: () => [...present.values()],
    close: () => {
      closing.abort();
      return following;
    },
  };
}

/** What is wrong with a new pod beside one that is there. */
function clashOf(there: Pod, made: Pod): string[] {
  if (jobOf(there) !== jobOf(made)) return [];
  const between = `${wordsFor(made)} was created while ${wordsFor(there)} was there`;
  const isOfOther = attemptOf(there) !== attemptOf(made);
  return isOfOther || there.metadata.name === made.metadata.name ? [between] : [];
}

const wordsFor = (pod: Pod) => `${pod.metadata.name} of attempt ${attemptOf(pod)}`;

export const jobOf = ({ metadata }: Pod) => metadata.labels?.[LABELS.job] ?? '';

export const attemptOf = ({ metadata }: Pod) => Number(metadata.labels?.[LABELS.attempt]);

export const hasEnded = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const isLive = (pod: Pod) => pod.metadata.deletionTimestamp === undefined && !hasEnded(pod);
