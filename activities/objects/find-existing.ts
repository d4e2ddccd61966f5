import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, PODS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { nameOf } from '../../resources/metadata.ts';
import { listOwned } from '../support/owned.ts';
import { selectJob } from '../support/select-attempt.ts';

export interface WantedPod {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
}

/** What is looked for. Services of an earlier attempt serve the next one; pods do not. */
export type ExistingQuery = 'everything' | 'services' | 'nothing';

/** Objects of a job; one that is being deleted must be waited for, so it does not count as existing. */
export interface Existing {
  /** Kinds and names of what is there to stay. */
  readonly names: ReadonlySet<string>;
  readonly pods: readonly Pod[];
  /** Of earlier attempts: made by somebody who came too late, and in the way. */
  readonly strayPods: readonly Pod[];
  /** Of replicas that the job does not have any more. */
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
    look === 'everything' ? listOwned(cluster, PODS, selection, { anchorUid }) : [],
    look === 'nothing' ? [] : listOwned(cluster, SERVICES, selection, { anchorUid }),
  ]);
  const isThere = ({ metadata }: KubeObject) => !metadata.deletionTimestamp;
  // Items of a list come without their kind.
  const foundPods = pods.filter(isThere).map((item) => ({ ...item, kind: 'Pod' }) as Pod);
  const foundServices = services.filter(isThere).map((item) => ({ ...item, kind: 'Service' }));
  const present = foundPods.filter((pod) => attemptOf(pod) >= attempt);
  const replicas = namesOfReplicas(job);
  return {
    names: new Set([...present, ...foundServices].map(keyOf)),
    pods: present,
    strayPods: foundPods.filter((pod) => attemptOf(pod) < attempt),
    surplusServices: foundServices.filter(
      ({ metadata }) => !metadata.labels?.[LABELS.shared] && !replicas.has(metadata.name),
    ),
  };
}

export const keyOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name}`;

const attemptOf = ({ metadata }: Pod) => Number(metadata.labels?.[LABELS.attempt]);

const namesOfReplicas = (job: TrainingJob) =>
  new Set(
    job.roles.flatMap((role) =>
      Array.from({ length: role.replicas }, (_, index) => nameOf(job, { role, index })),
    ),
  );
