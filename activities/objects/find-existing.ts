import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, PODS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { attemptOf, isOfAnchor } from '../../contracts/objects.ts';
import { isSpare } from '../../contracts/pod.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { nameOfPod } from '../../resources/metadata.ts';
import { listOwned } from '../support/owned.ts';
import { selectJob } from '../support/select-attempt.ts';

interface WantedPod {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
}

/** What to look up. Services of an earlier attempt serve the next one; pods do not. */
export type ExistingQuery = 'everything' | 'services' | 'nothing';

/** Objects of a job. Excludes those that are being deleted: they must be waited for. */
interface Existing {
  /** The objects that stay, by kind and name. */
  readonly byKey: ReadonlyMap<string, KubeObject>;
  readonly pods: readonly Pod[];
  /** Pods of earlier attempts, created by an activity that ran late, and of an earlier anchor. They must be deleted. */
  readonly strayPods: readonly Pod[];
  /** Services of replicas that the job no longer has. */
  readonly surplusServices: readonly KubeObject[];
}

export async function findExisting(
  cluster: ClusterClient,
  sought: WantedPod,
  look: ExistingQuery,
): Promise<Existing> {
  const { job, anchorUid, attempt } = sought;
  const selection = selectJob(job);
  const [pods, services] = await Promise.all([
    look === 'everything' ? listOwned(cluster, PODS, selection, { anchorUid, job }) : [],
    look === 'nothing' ? [] : listOwned(cluster, SERVICES, selection, { anchorUid, job }),
  ]);
  const isThere = ({ metadata }: KubeObject) => !metadata.deletionTimestamp;
  // List responses omit the kind of the items.
  const foundPods = pods
    .filter((pod) => isThere(pod) && !isSpare(pod))
    .map((item) => ({ ...item, kind: 'Pod' }) as Pod);
  const foundServices = services.filter(isThere).map((item) => ({ ...item, kind: 'Service' }));
  const isOfThis = (object: KubeObject) => isOfAnchor(object, anchorUid);
  const isPresent = (pod: Pod) => isOfThis(pod) && attemptOf(pod) >= attempt;
  const present = foundPods.filter(isPresent);
  const replicas = namesOfReplicas(job);
  return {
    byKey: new Map(
      [...present, ...foundServices.filter(isOfThis)].map((object) => [keyOfObject(object), object]),
    ),
    pods: present,
    strayPods: foundPods.filter((pod) => !isPresent(pod)),
    surplusServices: foundServices.filter(
      ({ metadata }) => !metadata.labels?.[LABELS.shared] && !replicas.has(metadata.name),
    ),
  };
}

export const keyOfObject = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name}`;

function namesOfReplicas(job: TrainingJob): Set<string> {
  const of = { job, framework: frameworkOf(job) };
  return new Set(
    job.roles.flatMap((role) =>
      Array.from({ length: role.replicas }, (_, index) => nameOfPod(of, { role, index })),
    ),
  );
}
