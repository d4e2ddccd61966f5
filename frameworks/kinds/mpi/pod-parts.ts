import type { Container, PodSpec } from '../../../contracts/kubernetes.ts';

interface Named {
  readonly name: string;
}

/** What a kind adds to a pod that runs MPI. */
interface PodParts {
  readonly volumes: readonly Named[];
  /** Mounts of the first container, which runs MPI. */
  readonly mounts: readonly { readonly name: string; readonly mountPath: string }[];
  /** Runs in the first container if the manifest sets neither command nor args. */
  readonly command?: Pick<Container, 'command' | 'args'>;
}

/** Returns the pod with these parts appended to its own. */
export function withParts(spec: PodSpec, { volumes, mounts, command }: PodParts): PodSpec {
  const containers = spec.containers.map((container, index) =>
    index === 0 ? withMounts(container, mounts, command) : container,
  );
  return { ...spec, containers, volumes: [...(spec.volumes ?? []), ...volumes] };
}

const withMounts = (
  main: Container,
  mounts: PodParts['mounts'],
  command: PodParts['command'],
): Container => ({
  ...main,
  ...(main.command?.length || main.args?.length ? {} : command),
  volumeMounts: [...(main.volumeMounts ?? []), ...mounts],
});
