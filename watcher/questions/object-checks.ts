import type { ClusterClient } from '../../cluster/client.ts';
import { listAll } from '../../cluster/list-all.ts';
import type { Digest } from '../../contracts/digest.ts';
import { type KubeObject, PODS, type Resource, streamOf } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { anchorUidOf } from '../../contracts/objects.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import { GROUP_ADAPTERS } from '../groups/group-adapters.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { JobStore } from '../store/job-store.ts';
import { findByName } from './find-by-name.ts';
import type { StreamCheck } from './stream-check.ts';

type Reads = Pick<ClusterClient, 'list'>;

/** What the store has of one kind of objects. */
interface Stored {
  readonly resource: Resource;
  /** The stored objects of a job: uids, and names where they are known. */
  of(job: WatchedJob): ReadonlyMap<string, string | undefined>;
  /** Up to which resource version the stream has delivered. */
  readTo(namespace: string): number;
}

/** The pods of jobs. */
export const podCheck = (cluster: Reads, store: Pick<JobStore, 'resourceVersionsIn'>): StreamCheck => ({
  stream: streamOf(PODS),
  concerns: () => true,
  findBehind: (jobs) =>
    findBehind(cluster, jobs, {
      resource: PODS,
      of: ({ pods }) => new Map([...pods].map(([uid, { name }]) => [uid, name])),
      readTo: (namespace) => store.resourceVersionsIn(namespace).pods,
    }),
});

/** The groups of jobs that have one, for each scheduler. */
export const groupChecks = (cluster: Reads, store: Pick<JobStore, 'resourceVersionsIn'>): StreamCheck[] =>
  GROUP_ADAPTERS.map((gang) => {
    const of = ({ groups }: WatchedJob) =>
      new Map([...groups].filter(([, { provider }]) => provider === gang.provider).map(nameless));
    const readTo = (namespace: string) => readGroupsTo(store.resourceVersionsIn(namespace), gang.provider);
    return {
      stream: streamOf(gang.resource),
      concerns: (job) => of(job).size > 0,
      findBehind: (jobs) => findBehind(cluster, jobs, { resource: gang.resource, of, readTo }),
    };
  });

const nameless = ([uid]: readonly [string, unknown]) => [uid, undefined] as const;

const readGroupsTo = ({ groups }: Digest['resourceVersions'], provider: GangProvider): number =>
  new Map(Object.entries(groups)).get(provider) ?? 0;

/** One list for all of these jobs, of metadata only. */
async function findBehind(
  cluster: Reads,
  jobs: readonly WatchedJob[],
  stored: Stored,
): Promise<ReadonlySet<WatchedJob>> {
  const { resource } = stored;
  const { namespace } = jobs[0]!;
  const names = new Set(jobs.map(({ anchor }) => anchor?.job?.name).filter((name) => name !== undefined));
  const selection = {
    namespace,
    labelSelector: `${LABELS.job} in (${[...names].join(',')})`,
  };
  const listed = await listAll(cluster, { resource, selection, metadataOnly: true, trim });
  if (Number(listed.resourceVersion) <= stored.readTo(namespace)) return new Set();
  const byJob = Map.groupBy(listed.objects, (object) => anchorUidOf(object));
  const behind = new Set<WatchedJob>();
  for (const job of jobs) {
    if (await isBehind(cluster, job, { stored, present: byJob.get(job.uid) ?? [] })) behind.add(job);
  }
  return behind;
}

/** The list is newer than the stored objects: those that it lacks are deleted, and the stream has not delivered that. */
async function isBehind(
  cluster: Reads,
  job: WatchedJob,
  { stored, present }: { readonly stored: Stored; readonly present: readonly KubeObject[] },
): Promise<boolean> {
  const isUnread = ({ metadata }: KubeObject) =>
    Number(metadata.resourceVersion) > stored.readTo(job.namespace);
  if (present.some(isUnread)) return true;
  const uids = new Set(present.map(({ metadata }) => metadata.uid));
  for (const [uid, name] of stored.of(job)) {
    if (uids.has(uid)) continue;
    // Its labels may be those of another job: then the list lacks it, and it exists all the same.
    const found = name && (await findByName(cluster, stored.resource, { namespace: job.namespace, name }));
    if (!found || found.metadata.uid !== uid || isUnread(found)) return true;
  }
  return false;
}

const trim = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => {
  const { name, uid, resourceVersion, ownerReferences } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion, ownerReferences } };
};
