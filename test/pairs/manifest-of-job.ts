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
  const { hasMaster, workers, gang, fewer } = job;
  const pods = workers + (hasMaster ? 1 : 0);
  const role = (replicas: number) => ({
    ...{ replicas, restartPolicy: 'Never' },
    template: templateOf(job.worker, name),
  });
  const minAvailable = fewer !== undefined && fewer < pods ? fewer : undefined;
  return {
    ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
    metadata: { name, namespace, annotations: { 'signalbox.dev/gang': gang } },
    spec: withoutUndefined({
      runPolicy: minAvailable ? { schedulingPolicy: { minAvailable } } : undefined,
      pytorchReplicaSpecs: { ...(hasMaster ? { Master: role(1) } : {}), Worker: role(workers) },
    }),
  };
}

/** As JSON has it. */
const withoutUndefined = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function templateOf(template: RandomTemplate, job: string) {
  const { nodeSelector, nodeAffinity, podTerm, spread, port, claim, configMap, secret, device } = template;
  const affinity = {
    ...(nodeAffinity
      ? {
          nodeAffinity: {
            [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions: [nodeAffinity] }] },
          },
        }
      : {}),
    ...(podTerm ? { [podTerm.is]: podTermOf(podTerm, job) } : {}),
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
          ...{ name: 'pytorch', image: 'train:1', command: ['train'] },
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
      nodeName: template.nodeName && nodeName(99),
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

function podTermOf({ is, isRequired, of, topologyKey, isAcross }: RandomPodTerm, job: string) {
  const matchLabels: Record<string, string> = of === 'itself' ? { 'signalbox.dev/job': job } : { app: of };
  const term = {
    ...{ topologyKey, labelSelector: { matchLabels } },
    ...(isAcross ? { namespaceSelector: {} } : {}),
  };
  if (isRequired) return { [REQUIRED]: [term] };
  const preferred = is === 'podAffinity' ? 1 : 10;
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: preferred, podAffinityTerm: term }] };
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
