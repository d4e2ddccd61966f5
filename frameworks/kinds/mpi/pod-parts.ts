import type { Container, PodSpec } from '../../../contracts/kubernetes.ts';

interface Named {
  readonly name: string;
}

/** What a kind adds to a pod that it runs MPI in. */
export interface PodParts {
  readonly volumes: readonly Named[];
  /** Into the first container, which is the one that MPI runs in. */
  readonly mounts: readonly { readonly name: string; readonly mountPath: string }[];
  /** Run by the first container where the manifest names neither command nor arguments. */
  readonly command?: Pick<Container, 'command' | 'args'>;
}

/** The pod with those parts after its own. */
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
