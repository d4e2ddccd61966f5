import type { Container, EnvVar, Pod, PodSpec, PodTemplate, RestartPolicy } from '../contracts/kubernetes.ts';
import { KUBEFLOW_LABELS, podNameOf } from '../contracts/labels.ts';
import type { JobRestartPolicy, Role, TrainingJob } from '../contracts/training-job.ts';
import type { Framework } from '../frameworks/framework.ts';
import { mainContainerOf, portsOf } from '../frameworks/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import { type Attempt, attemptMetadata, replicaLabels } from './metadata.ts';

export interface Replica {
  readonly role: Role;
  readonly index: number;
}

/** The pod of one replica: the user's template with the kind's labels, ports and environment. */
export function renderPod(
  job: TrainingJob,
  { role, index }: Replica,
  { attempt, membership }: { readonly attempt: Attempt; readonly membership: Partial<PodSpec> },
): Pod {
  const framework = frameworkOf(job);
  const { template } = role;
  const common = attemptMetadata(job, attempt);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podNameOf(job.name, role.name, index),
      namespace: common.namespace,
      labels: {
        ...template.metadata?.labels,
        ...replicaLabels(job, role.name, index),
        ...masterLabel(framework, job, { role, index }),
        ...common.labels,
      },
      annotations: template.metadata?.annotations,
      finalizers: template.metadata?.finalizers,
      ownerReferences: common.ownerReferences,
    },
    spec: {
      ...template.spec,
      containers: containersOf(template, framework, framework.environment(job, role, index)),
      restartPolicy: podRestartPolicy(role.restartPolicy),
      ...membership,
    },
  };
}

/** ExitCode means that signalbox decides after each exit, so the kubelet must not. */
const podRestartPolicy = (policy: JobRestartPolicy): RestartPolicy =>
  policy === 'ExitCode' ? 'Never' : policy;

function masterLabel(
  framework: Framework,
  job: TrainingJob,
  { role, index }: Replica,
): Record<string, string> {
  const isMaster = role.name === framework.masterRole(job.roles) && index === 0;
  return isMaster ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : {};
}

function containersOf(template: PodTemplate, framework: Framework, injected: readonly EnvVar[]): Container[] {
  const main = mainContainerOf(template, framework);
  return template.spec.containers.map((container) => ({
    ...container,
    env: mergeEnvironment(container.env ?? [], injected),
    ...(container === main ? { ports: portsOf(template, framework) } : {}),
  }));
}

/** What the manifest sets itself wins; a duplicate name would let Kubernetes take the last one. */
function mergeEnvironment(own: readonly EnvVar[], injected: readonly EnvVar[]): EnvVar[] {
  const taken = new Set(own.map(({ name }) => name));
  return [...own, ...injected.filter(({ name }) => !taken.has(name))];
}
