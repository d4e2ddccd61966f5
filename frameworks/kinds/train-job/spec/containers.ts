import type { Container, ContainerPort, EnvVar, PodSpec } from '../../../../contracts/kubernetes.ts';
import type { ReplicatedJob } from './runtime.ts';
import { mergeLists } from './strategic-merge.ts';

/** Changes of the pods of replicated jobs. */

export const podSpecOf = ({ template }: Pick<ReplicatedJob, 'template'>): PodSpec =>
  template.spec.template.spec as unknown as PodSpec;

export const containerNamed = (job: ReplicatedJob, name: string): Container | undefined =>
  podSpecOf(job).containers.find((container) => container.name === name);

export function withPodSpec(job: ReplicatedJob, change: (spec: PodSpec) => PodSpec): ReplicatedJob {
  const { template } = job;
  const spec = change(podSpecOf(job)) as unknown as ReplicatedJob['template']['spec']['template']['spec'];
  return {
    ...job,
    template: { ...template, spec: { ...template.spec, template: { ...template.spec.template, spec } } },
  };
}

export const withJobSpec = (
  job: ReplicatedJob,
  fields: Partial<ReplicatedJob['template']['spec']>,
): ReplicatedJob => ({
  ...job,
  template: { ...job.template, spec: { ...job.template.spec, ...fields } },
});

/** Changes the containers of that name, also init containers. */
export const withContainer = (
  job: ReplicatedJob,
  name: string,
  change: (container: Container) => Container,
): ReplicatedJob =>
  withPodSpec(job, (spec) => {
    const changed = (container: Container) => (container.name === name ? change(container) : container);
    return {
      ...spec,
      containers: spec.containers.map(changed),
      ...(spec.initContainers ? { initContainers: spec.initContainers.map(changed) } : {}),
    };
  });

/** Variables replace those of the same name. */
export const withEnv = (container: Container, added: readonly EnvVar[]): Container => {
  const kept = (container.env ?? []).filter(({ name }) => !added.some((one) => one.name === name));
  return { ...container, env: [...kept, ...added] };
};

/** Adds a port unless the container has its number. */
export const withPortNumber = (container: Container, containerPort: number): Container => {
  const { ports = [] } = container;
  const isThere = ports.some((port: ContainerPort) => port.containerPort === containerPort);
  return isThere ? container : { ...container, ports: [...ports, { containerPort }] };
};

export const withMount = (
  container: Container,
  mount: { readonly name: string; readonly mountPath: string },
) => ({
  ...container,
  volumeMounts: mergeLists((container.volumeMounts ?? []) as object[], [mount], 'mountPath'),
});

export const withVolumeOf = (spec: PodSpec, volume: { readonly name: string }): PodSpec => ({
  ...spec,
  volumes: mergeLists(
    (spec.volumes ?? []) as { readonly name: string }[],
    [volume],
    'name',
  ) as PodSpec['volumes'],
});
