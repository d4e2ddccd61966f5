import type { ClusterClient } from '../../cluster/client.ts';
import { reflect } from '../../cluster/reflector.ts';
import { type KubeObject, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { ATTEMPT_VARIABLE, jobNameOf, LABELS } from '../../contracts/labels.ts';
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

/** By its owner: anybody can edit labels. */
export const jobOf = ({ metadata }: KubeObject) => {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'ConfigMap');
  return owner ? jobNameOf(owner.name) : (metadata.labels?.[LABELS.job] ?? '');
};

/** By what its program is told, which nobody can change; 0 if it is told nothing. */
export const attemptOf = ({ spec }: Pod) => {
  const variables = spec.containers.flatMap(({ env = [] }) => env);
  return Number(variables.find(({ name }) => name === ATTEMPT_VARIABLE)?.value ?? 0);
};

export const hasEnded = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const isLive = (pod: Pod) => pod.metadata.deletionTimestamp === undefined && !hasEnded(pod);
