import type { Container, PodSpec } from '../../../contracts/kubernetes.ts';

interface Named {
  readonly name: string;
}

/** What a kind adds to a pod that runs MPI. */
export interface PodParts {
  readonly volumes: readonly Named[];
  /** Mounts of the first container, which runs MPI. */
  readonly mounts: readonly { readonly name: string; readonly mountPath: string }[];
  /** Runs in the first container if the manifest sets neither command nor args. */
  readonly command?: Pick<Container, 'command' | 'args'>;
}

/** Returns the pod with these parts appended to its own. */
export function withParts(spec: PodSpec, { volumes, mounts, command }: PodParts): PodSpec {
  const [main, ...others] = spec.containers as [Container, ...Container[]];
  const runs = main.command?.length || main.args?.length;
  const first: Container = {
    ...main,
    ...(runs ? {} : command),
    volumeMounts: [...listOf(main.volumeMounts), ...mounts],
  };
  return { ...spec, containers: [first, ...others], volumes: [...listOf(spec.volumes), ...volumes] };
}

const listOf = (list: unknown) => (list ?? []) as readonly unknown[];
