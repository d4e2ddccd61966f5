import type { Manifest } from '../scenarios/manifests.ts';
import { ABSENT, claimName, GPU, NIC, nodeName, TAINTS } from './names.ts';
import type {
  RandomJob,
  RandomPodTerm,
  RandomSpread,
  RandomTemplate,
  RandomToleration,
} from './random-job.ts';

/** Writes a random job as a person would. */
export function manifestOfJob(
  job: RandomJob,
  { name, namespace }: { name: string; namespace: string },
): Manifest {
  const { kind, worker, workers, gang, fewer, spares } = job;
  // Pods of a job of several priorities would preempt each other.
  const lead = { ...(job.lead ?? worker), priority: worker.priority };
  const { specs, leads, container } = KINDS[kind];
  const role = (replicas: number, template: RandomTemplate) => ({
    ...{ replicas, restartPolicy: 'Never' },
    template: templateOf(template, { job: name, container }),
  });
  const pods = workers + (isLed(job) ? 1 : 0);
  const minAvailable = fewer !== undefined && fewer < pods ? fewer : undefined;
  return {
    ...{ apiVersion: 'kubeflow.org/v1', kind },
    metadata: {
      ...{ name, namespace },
      annotations: {
        'signalbox.dev/gang': gang,
        ...(spares ? { 'signalbox.dev/policy': JSON.stringify({ spares: { count: spares } }) } : {}),
      },
    },
    spec: withoutUndefined({
      runPolicy: minAvailable ? { schedulingPolicy: { minAvailable } } : undefined,
      [specs]: { ...(leads && isLed(job) ? { [leads]: role(1, lead) } : {}), Worker: role(workers, worker) },
    }),
  };
}

/** Whether the job has the role that leads. */
export const isLed = ({ kind, hasLead }: RandomJob): boolean =>
  KINDS[kind].leads !== undefined && (hasLead || KINDS[kind].needsLead === true);

interface Kind {
  readonly specs: string;
  readonly container: string;
  /** The role of which there is one, if the kind has it. */
  readonly leads?: string;
  readonly needsLead?: true;
}

const KINDS: Readonly<Record<RandomJob['kind'], Kind>> = {
  PyTorchJob: { specs: 'pytorchReplicaSpecs', leads: 'Master', container: 'pytorch' },
  TFJob: { specs: 'tfReplicaSpecs', leads: 'Chief', container: 'tensorflow' },
  XGBoostJob: { specs: 'xgbReplicaSpecs', leads: 'Master', needsLead: true, container: 'xgboost' },
  MPIJob: { specs: 'mpiReplicaSpecs', leads: 'Launcher', needsLead: true, container: 'mpi' },
  PaddleJob: { specs: 'paddleReplicaSpecs', leads: 'Master', container: 'paddle' },
  JAXJob: { specs: 'jaxReplicaSpecs', container: 'jax' },
};

/** As JSON has it. */
const withoutUndefined = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function templateOf(
  template: RandomTemplate,
  { job, container }: { readonly job: string; readonly container: string },
) {
  const { nodeSelector, nodeAffinity, spread, port, claim, configMap, secret, device } = template;
  const affinity = {
    ...(nodeAffinity
      ? {
          nodeAffinity: {
            [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions: [nodeAffinity] }] },
          },
        }
      : {}),
    ...podTermsOf(template, job),
  };
  const volumes = [
    ...(claim === undefined
      ? []
      : [{ name: 'data', persistentVolumeClaim: { claimName: claimName(claim) } }]),
    ...(configMap ? [{ name: 'settings', configMap: { name: configMap } }] : []),
    ...(secret ? [{ name: 'keys', secret: { secretName: secret } }] : []),
  ];
  return {
    metadata: { labels: { app: 'quiet' } },
    spec: {
      containers: [
        {
          ...{ name: container, image: 'train:1', command: ['train'] },
          resources: resourcesOf(template),
          ports: port ? [{ name: 'probe', containerPort: port, hostPort: port }] : undefined,
          securityContext: template.isPrivileged ? { privileged: true } : undefined,
        },
      ],
      initContainers: template.initCpu
        ? [
            {
              ...{ name: 'prepare', image: 'train:1', command: ['prepare'] },
              resources: { requests: { cpu: String(template.initCpu) } },
            },
          ]
        : undefined,
      nodeSelector: nodeSelector ? { [nodeSelector[0]]: nodeSelector[1] } : undefined,
      affinity: Object.keys(affinity).length > 0 ? affinity : undefined,
      topologySpreadConstraints: spread ? [spreadOf(spread, job)] : undefined,
      tolerations: template.tolerations.length > 0 ? template.tolerations.map(tolerationOf) : undefined,
      hostNetwork: template.hostNetwork || undefined,
      priorityClassName: template.priority,
      runtimeClassName: template.runtime,
      volumes: volumes.length > 0 ? volumes : undefined,
      schedulerName: template.scheduler,
      nodeName: template.nodeName === undefined ? undefined : nodeName(template.nodeName),
      serviceAccountName: template.account,
      imagePullSecrets: template.pullSecret ? [{ name: template.pullSecret }] : undefined,
      schedulingGates: template.gate ? [{ name: 'example.com/hold' }] : undefined,
      activeDeadlineSeconds: template.deadline ? 3600 : undefined,
      resourceClaims: device ? [claimOf(device)] : undefined,
    },
  };
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

function resourcesOf({ cpu, limitsCpu, memory, gpus, nics, device }: RandomTemplate) {
  return {
    requests: {
      ...(cpu ? { cpu: String(limitsCpu ? Math.min(cpu, limitsCpu) : cpu) } : {}),
      ...(memory ? { memory: `${memory}Gi` } : {}),
    },
    limits: {
      ...(limitsCpu ? { cpu: String(limitsCpu) } : {}),
      ...(gpus ? { [GPU]: String(gpus) } : {}),
      ...(nics ? { [NIC]: String(nics) } : {}),
    },
    ...(device ? { claims: [{ name: 'card' }] } : {}),
  };
}

/** All that are of one kind are in one list. */
function podTermsOf({ podTerm, otherTerm }: RandomTemplate, job: string) {
  const terms = [podTerm, otherTerm].filter((term) => term !== undefined);
  const ofKind = (is: RandomPodTerm['is']) => {
    const [required, preferred] = [true, false].map((isRequired) =>
      terms
        .filter((term) => term.is === is && term.isRequired === isRequired)
        .map((term) => podTermOf(term, job)),
    ) as [object[], object[]];
    return {
      ...(required.length > 0 ? { [REQUIRED]: required } : {}),
      ...(preferred.length > 0
        ? {
            preferredDuringSchedulingIgnoredDuringExecution: preferred.map((podAffinityTerm) => ({
              ...{ weight: 10, podAffinityTerm },
            })),
          }
        : {}),
    };
  };
  return Object.fromEntries([...Map.groupBy(terms, ({ is }) => is).keys()].map((is) => [is, ofKind(is)]));
}

function podTermOf({ of, topologyKey, across }: RandomPodTerm, job: string): object {
  const matchLabels: Record<string, string> = of === 'itself' ? { 'signalbox.dev/job': job } : { app: of };
  const namespaceSelector = across && (across === 'all' ? {} : { matchLabels: { pairs: across } });
  return { topologyKey, labelSelector: { matchLabels }, ...(namespaceSelector ? { namespaceSelector } : {}) };
}

const spreadOf = ({ topologyKey, maxSkew, minDomains, isRequired }: RandomSpread, job: string) => ({
  ...{ topologyKey, maxSkew, minDomains: isRequired ? minDomains : undefined },
  whenUnsatisfiable: isRequired ? 'DoNotSchedule' : 'ScheduleAnyway',
  labelSelector: { matchLabels: { 'signalbox.dev/job': job } },
});

function tolerationOf({ of, isExists, seconds }: RandomToleration) {
  if (of === 'all') return { operator: 'Exists' };
  const taint =
    of === 'unschedulable' || of === 'notReady'
      ? { key: `node.kubernetes.io/${of === 'notReady' ? 'not-ready' : of}`, effect: 'NoSchedule' }
      : TAINTS[of];
  const { key, effect } = taint;
  const value = isExists ? {} : { value: 'value' in taint ? taint.value : '' };
  return {
    ...{ key, operator: isExists ? 'Exists' : 'Equal', ...value, effect },
    ...(effect === 'NoExecute' && seconds ? { tolerationSeconds: seconds } : {}),
  };
}

const claimOf = (device: NonNullable<RandomTemplate['device']>) =>
  device === 'template'
    ? { name: 'card', resourceClaimTemplateName: device }
    : { name: 'card', resourceClaimName: device === ABSENT ? ABSENT : device };
