import { isSidecar, type RunnableContainer, type RunnablePod } from './fields.ts';
import type { Gpus } from './find-gpus.ts';
import { CreateContainerError } from './launch-errors.ts';

/** Gives the GPUs of this machine to containers, as a device plugin does: each to one pod at a time. */
export class Devices {
  readonly #kinds: readonly Gpus[];
  /** By resource and device: the uid of the pod that has it. */
  readonly #owners = new Map<string, Map<string, string>>();

  constructor(kinds: readonly Gpus[]) {
    this.#kinds = kinds;
    for (const { resource } of kinds) this.#owners.set(resource, new Map());
  }

  /**
   * Returns the variables that show a container its GPUs; one that requests none sees none. Throws while too few are free,
   * e.g. as the pod that has them is still ending.
   */
  variablesOf(container: RunnableContainer, pod: RunnablePod): Record<string, string> {
    return Object.fromEntries(
      this.#kinds.map((kind) => {
        const own = this.#take(kind, pod);
        const { from, to } = shareOf(container, pod, kind.resource);
        return [kind.variable, own.slice(from, to).join(',')];
      }),
    );
  }

  release(uid: string): void {
    for (const owners of this.#owners.values())
      for (const [id, owner] of owners) if (owner === uid) owners.delete(id);
  }

  /** Returns the devices of a pod, in the same order at each call. */
  #take({ resource, ids }: Gpus, pod: RunnablePod): readonly string[] {
    const owners = this.#owners.get(resource)!;
    const uid = pod.metadata.uid ?? '';
    const own = ids.filter((id) => owners.get(id) === uid);
    const missing = neededBy(pod, resource) - own.length;
    const free = ids.filter((id) => !owners.has(id));
    if (missing > free.length)
      throw new CreateContainerError(
        `${resource}: the pod needs ${missing} more, but ${free.length} of ${ids.length} are free`,
      );
    for (const id of free.slice(0, Math.max(0, missing))) owners.set(id, uid);
    return ids.filter((id) => owners.get(id) === uid);
  }
}

const requested = ({ resources }: RunnableContainer, resource: string): number =>
  Number(resources?.limits?.[resource] ?? resources?.requests?.[resource] ?? 0);

/** Containers that run side by side, and those that run before them one by one. */
function containersOf({ spec }: RunnablePod) {
  const inits = spec.initContainers ?? [];
  return {
    together: [...inits.filter(isSidecar), ...spec.containers],
    before: inits.filter((init) => !isSidecar(init)),
  };
}

function neededBy(pod: RunnablePod, resource: string): number {
  const { together, before } = containersOf(pod);
  const sum = together.reduce((total, container) => total + requested(container, resource), 0);
  return Math.max(sum, ...before.map((container) => requested(container, resource)));
}

/** Init containers use the devices of those that come after them. */
function shareOf(container: RunnableContainer, pod: RunnablePod, resource: string) {
  const { together } = containersOf(pod);
  const place = together.findIndex(({ name }) => name === container.name);
  const earlier = place < 0 ? [] : together.slice(0, place);
  const from = earlier.reduce((total, other) => total + requested(other, resource), 0);
  return { from, to: from + requested(container, resource) };
}
