import type { Container, EnvVar, Pod, PodSpec, RestartPolicy } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { JobRestartPolicy, TrainingJob } from '../contracts/training-job.ts';
import type { Framework, Replica } from '../frameworks/framework.ts';
import { mainContainerOf, portsOf } from '../frameworks/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { PodMarks } from '../gang/gang.ts';
import { type Attempt, attemptMetadata, nameOf, podMetadata } from './metadata.ts';

/** The pod of one replica: the user's template with what its kind and its gang scheduler add. */
export function renderPod(
  job: TrainingJob,
  replica: Replica,
  { attempt, marks }: { readonly attempt: Attempt; readonly marks: PodMarks },
): Pod {
  const { role, index } = replica;
  const { template } = role;
  const common = attemptMetadata(job, attempt);
  const own = podMetadata(job, replica);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: nameOf(job, replica),
      namespace: common.namespace,
      labels: {
        ...template.metadata?.labels,
        ...own.selector,
        ...own.labels,
        ...marks.labels,
        ...common.labels,
        [LABELS.role]: role.name.toLowerCase(),
        [LABELS.index]: String(index),
      },
      annotations: unlessEmpty({
        ...template.metadata?.annotations,
        ...own.annotations,
        ...marks.annotations,
      }),
      finalizers: template.metadata?.finalizers,
      ownerReferences: common.ownerReferences,
    },
    spec: placed(specOf(job, replica), marks),
  };
}

function specOf(job: TrainingJob, replica: Replica): PodSpec {
  const framework = frameworkOf(job);
  const { template, restartPolicy } = replica.role;
  const spec = {
    ...template.spec,
    containers: containersOf(framework, job, replica),
    restartPolicy: podRestartPolicy(restartPolicy),
  };
  return framework.shapePod?.(spec, job, replica) ?? spec;
}

/** A scheduler that the template names is the user's choice. */
const placed = (spec: PodSpec, marks: PodMarks): PodSpec => ({
  ...spec,
  ...marks.spec,
  ...(spec.schedulerName ? { schedulerName: spec.schedulerName } : {}),
});

/** ExitCode means that signalbox decides after each exit, so the kubelet must not. */
const podRestartPolicy = (policy: JobRestartPolicy): RestartPolicy =>
  policy === 'ExitCode' ? 'Never' : policy;

function containersOf(framework: Framework, job: TrainingJob, replica: Replica): Container[] {
  const { template } = replica.role;
  const main = mainContainerOf(template, framework);
  const injected = framework.environment(job, replica);
  const isGiven = (container: Container) => framework.environmentOf !== 'main' || container === main;
  return template.spec.containers.map((container) => ({
    ...container,
    ...(isGiven(container) ? { env: mergeEnvironment(container.env ?? [], injected) } : {}),
    ...(container === main && framework.port ? { ports: portsOf(template, framework) } : {}),
  }));
}

/** What the manifest sets itself wins; a duplicate name would let Kubernetes take the last one. */
function mergeEnvironment(own: readonly EnvVar[], injected: readonly EnvVar[]): EnvVar[] {
  const taken = new Set(own.map(({ name }) => name));
  return [...own, ...injected.filter(({ name }) => !taken.has(name))];
}

const unlessEmpty = <T extends object>(fields: T) => (Object.keys(fields).length > 0 ? fields : undefined);
