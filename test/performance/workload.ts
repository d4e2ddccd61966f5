import type { Home } from '../../contracts/home.ts';
import type { ConfigMap, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, workflowIdOf } from '../../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAnchor } from '../../resources/anchor.ts';
import { renderAttempt } from '../../resources/attempt.ts';

export const NAMESPACE = 'default';

/** So many jobs of so many pods each. */
export interface Workload {
  /** Job names begin with it; differs between measurements. */
  readonly prefix: string;
  readonly jobs: number;
  readonly podsPerJob: number;
  /** Native gangs without it. */
  readonly gang?: GangProvider;
  /** Of each pod. */
  readonly cpu?: string;
  readonly schedulerName?: string;
  /** Of the nodes that its pods are for; any without one. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

export const podsOf = ({ jobs, podsPerJob }: Pick<Workload, 'jobs' | 'podsPerJob'>) => jobs * podsPerJob;

export const manifestsOf = ({ prefix, jobs, ...shape }: Workload): object[] =>
  Array.from({ length: jobs }, (_, index) => pytorchJob(`${prefix}-${index}`, shape));

/** The first job of a process pays for what is loaded and compiled once. */
export const warmUpOf = ({ prefix, gang }: Pick<Workload, 'prefix' | 'gang'>): Workload => ({
  ...{ prefix: `warm-${prefix}`, jobs: 1, podsPerJob: 2, gang },
});

/** The first job of a workload; any failure starts its whole gang again, at once. */
export function restartingGang(
  workload: Workload,
  annotations: Readonly<Record<string, string | undefined>> = {},
): object {
  const [manifest] = manifestsOf(workload) as [{ metadata: object }];
  const policy = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };
  const all = { [ANNOTATIONS.policy]: JSON.stringify(policy), ...annotations };
  return { ...manifest, metadata: { ...manifest.metadata, annotations: all } };
}

/** A job as the engine would make it, for a client that does nothing else. */
export interface RenderedJob {
  readonly anchor: ConfigMap;
  /** The anchor's uid is known when the anchor is created. */
  attempt(anchorUid: string, gang: GangProvider): RenderedAttempt;
}

export interface RenderedAttempt {
  readonly group: KubeObject | undefined;
  readonly services: readonly KubeObject[];
  readonly pods: readonly Pod[];
}

export const renderedJobsOf = (workload: Workload, home: Home = NOBODYS): RenderedJob[] =>
  manifestsOf(workload).map((manifest) => rendered(manifest, home));

const NOBODYS: Home = { installation: 'none' };

function rendered(manifest: object, home: Home): RenderedJob {
  const job = parsed(manifest);
  return {
    anchor: renderAnchor(job, { workflowId: workflowIdOf(job), firstRunId: 'none', ...home }, 'native'),
    attempt: (anchorUid, gang) => renderAttempt(job, { number: 1, anchorUid }, { gang, asGang: true }),
  };
}

function parsed(manifest: object): TrainingJob {
  const result = parseManifest(manifest, { namespace: NAMESPACE });
  if ('faults' in result) throw new Error(`the bench's own manifest: ${JSON.stringify(result.faults)}`);
  return result.job;
}

function pytorchJob(
  name: string,
  { podsPerJob: pods, gang, cpu = '100m', schedulerName, nodeSelector }: Omit<Workload, 'prefix' | 'jobs'>,
): object {
  const resources = { limits: { cpu, memory: '64Mi' } };
  const template = { spec: { containers: [{ ...CONTAINER, resources }], schedulerName, nodeSelector } };
  const role = (replicas: number) => ({ replicas, restartPolicy: 'OnFailure', template });
  const annotations = gang && { [ANNOTATIONS.gang]: gang };
  const roles = { Master: role(1), ...(pods > 1 ? { Worker: role(pods - 1) } : {}) };
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name, namespace: NAMESPACE, annotations },
    spec: { runPolicy: { cleanPodPolicy: 'All' }, pytorchReplicaSpecs: roles },
  };
}

const CONTAINER = {
  name: 'pytorch',
  image: 'registry.example/train:1',
  command: ['python', 'train.py'],
};
