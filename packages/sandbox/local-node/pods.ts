import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, type Pod, type ReflectorHandlers } from '../engine.ts';
import type { RunnablePod } from './fields.ts';
import type { PodEndpoint } from './hosts-file.ts';
import type { FindLog } from './log-server.ts';
import type { NodeContext } from './node-context.ts';
import { LocalPod } from './pod.ts';

/**
 * The pods that are bound to this node, by uid: a pod may still be ending when its successor of the same name arrives.
 */
export class Pods implements ReflectorHandlers<Pod> {
  readonly #context: () => NodeContext;
  readonly #pods = new Map<string, LocalPod>();
  #isDisconnected = false;

  constructor(context: () => NodeContext) {
    this.#context = context;
  }

  /** Pods that Service names can resolve to. */
  endpoints(): PodEndpoint[] {
    return [...this.#pods.values()]
      .filter(({ isOver, hasSandbox }) => !isOver && hasSandbox)
      .map(({ endpoint }) => endpoint);
  }

  readonly findLog: FindLog = ({ namespace, pod, container }, previous) => {
    const found = [...this.#pods.values()].findLast(
      ({ endpoint }) => endpoint.namespace === namespace && endpoint.name === pod,
    );
    return (
      found?.findLog(container, previous) ?? `pod "${pod}" in namespace "${namespace}" is not on this node`
    );
  };

  replaced(objects: readonly Pod[]): void {
    const present = new Set(objects.map(uidOf));
    for (const uid of this.#pods.keys()) if (!present.has(uid)) this.#destroy(uid);
    this.#removeStaleFolders(present);
    // Reserve the addresses of existing pods before allocating new ones.
    const known = objects.filter((pod) => pod.status?.podIP);
    for (const pod of [...known, ...objects.filter((pod) => !pod.status?.podIP)]) this.changed(pod);
  }

  changed(object: Pod): void {
    this.#isDisconnected = false;
    const pod = { ...object, apiVersion: 'v1', kind: 'Pod' } as RunnablePod;
    const known = this.#pods.get(uidOf(pod));
    if (known) known.update(pod);
    else this.#add(pod);
  }

  deleted(pod: Pod): void {
    this.#destroy(uidOf(pod));
  }

  /** Logs once: the reflector retries many times while the server is unavailable. */
  interrupted(error: unknown): void {
    if (this.#isDisconnected) return;
    this.#isDisconnected = true;
    this.#context().log.warn(
      { why: errorMessage(error) },
      'the watch of pods broke: containers keep running',
    );
  }

  async halt(graceMs: number): Promise<void> {
    await Promise.all([...this.#pods.values()].map((pod) => pod.halt(graceMs)));
  }

  #add(pod: RunnablePod): void {
    const context = this.#context();
    const local = new LocalPod(pod, addressOf(pod, context), context);
    this.#pods.set(uidOf(pod), local);
    local.start();
  }

  #destroy(uid: string): void {
    const pod = this.#pods.get(uid);
    this.#pods.delete(uid);
    pod
      ?.destroy()
      .catch((error) => this.#context().log.error({ err: error }, 'could not remove the files of a pod'));
  }

  /** Removes folders of pods that were deleted while the node was stopped. */
  #removeStaleFolders(present: ReadonlySet<string>): void {
    const { podsDir } = this.#context();
    for (const folder of readdirSync(podsDir)) {
      const uid = folder.slice(folder.lastIndexOf('_') + 1);
      if (!present.has(uid)) rmSync(join(podsDir, folder), { recursive: true, force: true });
    }
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}

/** A pod with hostNetwork has the node's address and shares its ports. */
function addressOf({ spec, status }: RunnablePod, { addresses, hostIP }: NodeContext): string {
  if (spec.hostNetwork) return hostIP;
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (status?.podIP && (isOver || addresses.reserve(status.podIP))) return status.podIP;
  return addresses.allocate();
}
