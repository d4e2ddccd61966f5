import type { ClusterClient } from '../../cluster/client.ts';
import { listAll } from '../../cluster/list-all.ts';
import { SERVICES } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { isOfAnchor, ownerUidOf } from '../../contracts/objects.ts';
import { eachServed, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { pause } from '../../language/timers.ts';
import type { WatchedJob } from './job.ts';

interface MissingServiceOptions {
  readonly cluster: Pick<ClusterClient, 'list'>;
  readonly jobs: () => Iterable<WatchedJob>;
  readonly onChange: (job: WatchedJob) => void;
}

interface MissingServiceSearch extends MissingServiceOptions {
  readonly namespaces?: ServedNamespaces;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** How many are reported, after a read by name to be sure. */
const MOST = 20;
/** What is reported and still missing is reported again after this time: creating it may have been refused. */
const TELL_AGAIN_MS = 600_000;

/**
 * Checks from time to time for deleted Services of running pods, and for what has lost its owner, until the signal aborts. A list of metadata
 * costs less than a stream: nothing else needs to know of Services.
 */
export async function lookForMissingServices(
  { namespaces, intervalMs, onError, ...options }: MissingServiceSearch,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(intervalMs * (0.9 + Math.random() / 5), signal);
    if (signal.aborted) return;
    for (const namespace of eachServed(namespaces)) {
      await lookOnce({ ...options, namespace }, Date.now()).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    }
  }
}

/** Looks in one namespace; without it, in all. */
export async function lookOnce(
  { cluster, namespace, jobs, onChange }: MissingServiceOptions & { readonly namespace?: string },
  now: number,
): Promise<void> {
  // Before the list: a Service that is created with its pod later than that is not missing.
  const there = [...jobs()].filter((job) => namespace === undefined || job.namespace === namespace);
  const needed = new Map(there.map((job) => [job, neededBy(job)]));
  const unowned = new Map(there.map((job) => [job, unownedOf(job)]));
  const isAnyNeeded = [...needed.values()].some(({ length }) => length > 0);
  const present = isAnyNeeded ? await listServices(cluster, namespace) : new Set<string>();
  for (const [job, names] of needed) {
    const gone = names.filter((name) => !present.has(keyOfService(job, name)));
    const free = await withoutOthers(cluster, job, gone.slice(0, MOST));
    const missing = [...new Set([...free, ...unowned.get(job)!])].sort().slice(0, MOST);
    if (isReported(job.missingServices, missing, now)) continue;
    job.missingServices = missing.length > 0 ? { at: now, names: [...missing] } : undefined;
    onChange(job);
  }
}

/** Phases in which all objects of a job have been created. */
const COMPLETE: ReadonlySet<string> = new Set(['Starting', 'Running']);

/** Returns the names of the Services that the live pods of a job have. */
function neededBy(job: WatchedJob): readonly string[] {
  const { anchor, pods } = job;
  if (!anchor?.services || !isComplete(job)) return [];
  const roles = new Set(anchor.services);
  const needing = [...pods.values()].filter(
    ({ role, isReplica, state }) =>
      isReplica && roles.has(role) && (state === 'ready' || state === 'scheduled'),
  );
  return needing.map(({ name }) => name).sort();
}

/** Returns the names of pods that have lost their owner. */
const unownedOf = (job: WatchedJob): readonly string[] =>
  isComplete(job)
    ? [...job.pods.values()].flatMap(({ name, hasLostOwner }) => (hasLostOwner ? [name] : []))
    : [];

const isComplete = ({ anchor }: WatchedJob) =>
  anchor !== undefined && !anchor.deleted && !anchor.isEnding && COMPLETE.has(anchor.phase);

const keyOfService = ({ namespace, uid }: WatchedJob, name: string) => `${namespace}/${uid}/${name}`;

async function listServices(
  cluster: MissingServiceOptions['cluster'],
  namespace: string | undefined,
): Promise<Set<string>> {
  const selection = { namespace, labelSelector: LABELS.job };
  const { objects } = await listAll(cluster, { resource: SERVICES, selection, metadataOnly: true });
  const there = objects.filter(({ metadata }) => !metadata.deletionTimestamp);
  return new Set(
    there.map(({ metadata }) => `${metadata.namespace}/${ownerUidOf({ metadata })}/${metadata.name}`),
  );
}

/** Leaves out the names of Services that belong to others, or are being deleted: nothing can be created there. */
async function withoutOthers(
  cluster: MissingServiceOptions['cluster'],
  { namespace, uid }: WatchedJob,
  names: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of names) {
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const { objects } = await listAll(cluster, { resource: SERVICES, selection, metadataOnly: true });
    const [found] = objects;
    if (!found || (isOfAnchor(found, uid) && !found.metadata.deletionTimestamp)) missing.push(name);
  }
  return missing;
}

function isReported(reported: WatchedJob['missingServices'], names: readonly string[], now: number): boolean {
  if (!reported) return names.length === 0;
  return reported.names.join() === names.join() && now - reported.at < TELL_AGAIN_MS;
}
