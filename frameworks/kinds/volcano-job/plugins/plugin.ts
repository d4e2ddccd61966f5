import type {
  Container,
  ContainerPort,
  EnvVar,
  KubeObject,
  PodSpec,
} from '../../../../contracts/kubernetes.ts';
import type { Role, TrainingJob } from '../../../../contracts/training-job.ts';
import type { Fault } from '../../../../contracts/types.ts';
import type { Draft, Replica } from '../../../model/framework.ts';

/** What an argument of a plugin may be; a plugin's defaults have the same types. */
export type Argument = string | number | boolean;
export type Arguments = Readonly<Record<string, Argument>>;

/** A job, as far as plugins read it; also before it has been checked. */
export type PluginJob = Pick<TrainingJob | Draft, 'name' | 'namespace' | 'roles'>;

/** One of the plugins by which a Volcano Job prepares its pods. */
export interface Plugin<Args extends Arguments = Arguments> {
  /** Names of its arguments and what they are by default. */
  readonly defaults: Args;
  /** Plugins that come with it. */
  readonly with?: readonly string[];
  check?(job: PluginJob, args: Args): Fault[];
  environment?(job: PluginJob, replica: Replica, args: Args): readonly EnvVar[];
  /** Init containers get the variables, too. */
  readonly isForInit?: true;
  /** Adds what variables do not cover. */
  shape?(spec: PodSpec, of: { readonly job: PluginJob; readonly replica: Replica }, args: Args): PodSpec;
  objects?(job: PluginJob, args: Args): readonly KubeObject[];
  annotations?(job: PluginJob, replica: Replica, args: Args): Readonly<Record<string, string>>;
}

type Widened<Args> = {
  readonly [Name in keyof Args]: Args[Name] extends string
    ? string
    : Args[Name] extends number
      ? number
      : boolean;
};

/** So that each plugin has the types of its own arguments. */
export const plugin = <Args extends Arguments>(
  given: { readonly defaults: Args } & Omit<Plugin<Widened<Args>>, 'defaults'>,
): Plugin => given as unknown as Plugin;

/** The labels by which Services and policies find all pods of a job. */
export const labelsOfJob = ({ name, namespace }: PluginJob) => ({
  'volcano.sh/job-name': name,
  'volcano.sh/job-namespace': namespace,
});

/** Returns the host names of a task's pods; a template with a host name of its own has one. */
export function hostsOf(job: PluginJob, task: Role): readonly string[] {
  const { hostname, subdomain = job.name } = task.template.spec as Readonly<Record<string, string>>;
  if (hostname) return [`${hostname}.${subdomain}`];
  return Array.from(
    { length: task.replicas },
    (_, index) => `${job.name}-${task.name}-${index}.${subdomain}`,
  );
}

/** Returns the task that an argument names; undefined if the job has none of that name. */
export const taskNamed = ({ roles }: PluginJob, name: Argument): Role | undefined =>
  roles.find((role) => role.name === name);

/** Changes each container; init containers if they are meant, too. */
export const eachContainer = (
  spec: PodSpec,
  change: (container: Container) => Container,
  { init = true }: { readonly init?: boolean } = {},
): PodSpec => ({
  ...spec,
  ...(init && spec.initContainers ? { initContainers: spec.initContainers.map(change) } : {}),
  containers: spec.containers.map(change),
});

/** Adds a port unless the container has one of its name or number. */
export function withPort(
  container: Container,
  port: Required<Pick<ContainerPort, 'name' | 'containerPort'>>,
): Container {
  const { ports = [] } = container;
  const isTaken = ports.some(
    ({ name, containerPort }) => name === port.name || containerPort === port.containerPort,
  );
  return isTaken ? container : { ...container, ports: [...ports, port] };
}

/** Adds a volume to a pod, mounted in all its containers. */
export const withVolume = (
  spec: PodSpec,
  volume: { readonly name: string } & Readonly<Record<string, unknown>>,
  mount: { readonly mountPath: string; readonly subPath?: string },
): PodSpec => ({
  ...eachContainer(spec, (container) => ({
    ...container,
    volumeMounts: [...(container.volumeMounts ?? []), { name: volume.name, ...mount }],
  })),
  volumes: [...(spec.volumes ?? []), volume],
});
