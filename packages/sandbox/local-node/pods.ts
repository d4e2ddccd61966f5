import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod, ReflectorHandlers } from '../engine.ts';
import type { RunnablePod } from './fields.ts';
import type { Ground } from './ground.ts';
import type { NamedPod } from './hosts-file.ts';
import type { FindLog } from './log-server.ts';
import { LocalPod } from './pod.ts';

/** The pods that are bound to this node, by uid: one of a name may still be ending when the next one comes. */
export class Pods implements ReflectorHandlers<Pod> {
  readonly #ground: () => Ground;
  readonly #pods = new Map<string, LocalPod>();
  #isAway = false;

  constructor(ground: () => Ground) {
    this.#ground = ground;
  }

  /** Those that names can point to. */
  named(): NamedPod[] {
    return [...this.#pods.values()]
      .filter(({ isOver, hasSandbox }) => !isOver && hasSandbox)
      .map(({ named }) => named);
  }

  readonly findLog: FindLog = ({ namespace, pod, container }, previous) => {
    const found = [...this.#pods.values()].findLast(
      ({ named }) => named.namespace === namespace && named.name === pod,
    );
    return (
      found?.findLog(container, previous) ?? `pod "${pod}" in namespace "${namespace}" is not on this node`
    );
  };

  replaced(objects: readonly Pod[]): void {
    const present = new Set(objects.map(uidOf));
    for (const uid of this.#pods.keys()) if (!present.has(uid)) this.#destroy(uid);
    this.#removeStrangers(present);
    // Addresses that pods have are taken before any is given away.
    const known = objects.filter((pod) => pod.status?.podIP);
    for (const pod of [...known, ...objects.filter((pod) => !pod.status?.podIP)]) this.changed(pod);
  }

  changed(object: Pod): void {
    this.#isAway = false;
    const pod = { ...object, apiVersion: 'v1', kind: 'Pod' } as RunnablePod;
    const known = this.#pods.get(uidOf(pod));
    if (known) known.update(pod);
    else this.#add(pod);
  }

  deleted(pod: Pod): void {
    this.#destroy(uidOf(pod));
  }

  /** Said once: the reflector tries again many times while a server is away. */
  interrupted(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#ground().log.warn({ why: (error as Error).message }, 'the stream of pods broke: containers run on');
  }

  async halt(graceMs: number): Promise<void> {
    await Promise.all([...this.#pods.values()].map((pod) => pod.halt(graceMs)));
  }

  #add(pod: RunnablePod): void {
    const ground = this.#ground();
    const local = new LocalPod(pod, addressOf(pod, ground), ground);
    this.#pods.set(uidOf(pod), local);
    local.start();
  }

  #destroy(uid: string): void {
    const pod = this.#pods.get(uid);
    this.#pods.delete(uid);
    pod
      ?.destroy()
      .catch((error) => this.#ground().log.error({ err: error }, 'could not clear up after a pod'));
  }

  /** Folders of pods that were deleted while the node was away. */
  #removeStrangers(present: ReadonlySet<string>): void {
    const { podsDir } = this.#ground();
    for (const folder of readdirSync(podsDir)) {
      const uid = folder.slice(folder.lastIndexOf('_') + 1);
      if (!present.has(uid)) rmSync(join(podsDir, folder), { recursive: true, force: true });
    }
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}

/** A pod on the node's network has the node's address, and shares its ports with all others there. */
function addressOf({ spec, status }: RunnablePod, { addresses, hostIP }: Ground): string {
  if (spec.hostNetwork) return hostIP;
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (status?.podIP && (isOver || addresses.reserve(status.podIP))) return status.podIP;
  return addresses.allocate();
}
