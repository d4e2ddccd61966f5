import {
  CONFIG_MAPS,
  HORIZONTAL_POD_AUTOSCALERS,
  type KubeObject,
  POD_GROUPS,
  PODS,
  type Pod,
  type Resource,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { Ends } from './chaos-ends.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import type { PodControl } from './chaos-pod-control.ts';
import { attemptOf, hasEnded, jobOf as nameOfJob } from './pod-ledger.ts';
import type { Stage } from './stage.ts';

/** What is there of ended jobs that should not be, a line each. */
export async function findLeftovers(
  { stage, ledger }: PodControl,
  jobs: readonly ChaosJob[],
  ends: Ends,
  isMeant: (object: KubeObject) => boolean = () => true,
): Promise<readonly string[]> {
  const { namespace, cluster } = stage;
  const list = async <T extends KubeObject>(kind: Resource<T>) =>
    (await cluster.list(kind, { namespace })).items.filter(isMeant);
  const jobOf = (object: KubeObject) => jobs.find(({ name }) => name === nameOfJob(object));
  // What pods share stays with their job's record, and goes where the job was stopped.
  const isLeft = (object: KubeObject) => {
    const job = jobOf(object);
    return !(
      LABELS.shared in (object.metadata.labels ?? {}) &&
      job &&
      ends.get(job.name)?.phase !== 'Stopped'
    );
  };
  const pods = await list(PODS);
  // Of those that ended, some went with their node later on.
  const names = new Set([...pods.map(({ metadata }) => metadata.name), ...ledger.ended]);
  const unwanted = pods.filter((pod) => !isKept(pod, jobOf(pod), ends));
  const services = (await list(SERVICES)).filter((service) => {
    if (LABELS.shared in (service.metadata.labels ?? {})) return isLeft(service);
    const job = jobOf(service);
    const outcome = job && ends.get(job.name);
    if (!job || !outcome || keepsNone(job, outcome)) return true;
    return !names.has(service.metadata.name) && !keepsAll(job, outcome);
  });
  // Kubernetes keeps a group for as long as a pod of it has not ended.
  const held = new Set(
    pods.filter((pod) => !hasEnded(pod)).map(({ spec }) => spec.schedulingGroup?.podGroupName),
  );
  const groups = (await list(POD_GROUPS)).filter(({ metadata: { name } }) => !held.has(name));
  const anchors = new Set(jobs.filter(keepsAnchor).map(({ name }) => anchorNameOf(name)));
  const maps = (await list(CONFIG_MAPS)).filter(({ metadata: { name } }) => !anchors.has(name));
  const autoscalers = await list(HORIZONTAL_POD_AUTOSCALERS);
  const access = (await Promise.all(ACCESS.map(list)))
    .flat()
    .filter(({ metadata }) => LABELS.job in (metadata.labels ?? {}));
  return [
    ...unwanted.map(({ metadata, status }) => `Pod ${metadata.name}, ${status?.phase}`),
    ...services.map(({ metadata }) => `Service ${metadata.name}`),
    ...autoscalers.map(({ metadata }) => `HorizontalPodAutoscaler ${metadata.name}`),
    ...groups.map(({ metadata }) => `PodGroup ${metadata.name}`),
    ...maps
      .filter(isLeft)
      .map(({ metadata }) => `ConfigMap ${metadata.name}`)
      .filter((map) => map !== KUBERNETES_OWN),
    ...access.filter(isLeft).map(({ metadata }) => `for access: ${metadata.name}`),
    ...(await openWorkflows(stage)),
  ];
}

const ACCESS: readonly Resource[] = [SECRETS, SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS];
const KUBERNETES_OWN = 'ConfigMap kube-root-ca.crt';

async function openWorkflows({
  temporal,
  namespace,
}: Pick<Stage, 'temporal' | 'namespace'>): Promise<string[]> {
  const query = `${SEARCH_ATTRIBUTES.namespace.name} = "${namespace}" AND ExecutionStatus = "Running"`;
  const open: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) open.push(`workflow ${workflowId}`);
  return open;
}

function isKept(pod: Pod, job: ChaosJob | undefined, ends: Ends): boolean {
  const outcome = job && ends.get(job.name);
  if (!job || !outcome || attemptOf(pod) !== outcome.attempt) return false;
  if (keepsAll(job, outcome)) return !pod.metadata.deletionTimestamp || hasEnded(pod);
  return hasEnded(pod) && !keepsNone(job, outcome);
}

const keepsNone = ({ cleanPodPolicy }: ChaosJob, { phase }: JobOutcome) =>
  phase === 'Stopped' || cleanPodPolicy === 'All';

/** But of a job that ran too long, or too often, nothing is to run on. */
const keepsAll = ({ cleanPodPolicy }: ChaosJob, { phase, cause }: JobOutcome) =>
  cleanPodPolicy === 'None' &&
  phase !== 'Stopped' &&
  cause?.reason !== 'DeadlineExceeded' &&
  cause?.reason !== 'BackoffLimitExceeded';

const keepsAnchor = ({ plannedEnd }: ChaosJob) =>
  plannedEnd !== 'losesItsAnchor' && plannedEnd !== 'losesItsResource';
