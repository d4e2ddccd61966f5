import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KubeObject, ReflectorHandlers } from '../engine.ts';
import { type PodEndpoint, type ServiceFacts, serviceEntries, sharedLines } from './hosts-file.ts';

/** One pod's hosts file. */
interface HostsFile {
  readonly path: string;
  /** The search domains of its pod. */
  readonly searches: readonly string[];
  /** The first lines, which never change. */
  readonly own: string;
}

interface ServiceObject extends KubeObject {
  readonly spec?: { selector?: Record<string, string>; publishNotReadyAddresses?: boolean };
}

/** Writes changes that occur together at once: matters for a burst of 100 pods. */
const SETTLE_MS = 10;

/** Service discovery by hosts files: updates those of all running pods when Services and pods change. */
export class HostsFiles implements ReflectorHandlers<KubeObject> {
  readonly #services = new Map<string, ServiceFacts>();
  readonly #files = new Map<string, HostsFile>();
  readonly #written = new Map<string, string>();
  readonly #pods: () => readonly PodEndpoint[];
  #timer: NodeJS.Timeout | undefined;
  #known: () => void = () => undefined;
  /** Resolves when the Services were listed for the first time. */
  readonly known = new Promise<void>((resolve) => {
    this.#known = resolve;
  });

  constructor(pods: () => readonly PodEndpoint[]) {
    this.#pods = pods;
  }

  /** Writes the file before its pod starts, and updates it from then on. */
  add(file: HostsFile): void {
    this.#files.set(file.path, file);
    mkdirSync(dirname(file.path), { recursive: true });
    this.#write(file, sharedLines(this.#entries(), file.searches));
    this.refresh();
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#written.delete(path);
    this.refresh();
  }

  /** Call it when a pod or Service has changed. */
  refresh(): void {
    this.#timer ??= setTimeout(() => this.#writeAll(), SETTLE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  replaced(objects: readonly KubeObject[]): void {
    this.#services.clear();
    for (const object of objects) this.#services.set(keyOfPod(object), serviceFacts(object));
    this.#known();
    this.refresh();
  }

  changed(object: KubeObject): void {
    this.#services.set(keyOfPod(object), serviceFacts(object));
    this.refresh();
  }

  deleted(object: KubeObject): void {
    this.#services.delete(keyOfPod(object));
    this.refresh();
  }

  #entries() {
    return serviceEntries([...this.#services.values()], this.#pods());
  }

  #writeAll(): void {
    this.#timer = undefined;
    const entries = this.#entries();
    const shared = new Map<string, string>();
    for (const file of this.#files.values()) {
      const key = file.searches.join(' ');
      const lines = shared.get(key) ?? sharedLines(entries, file.searches);
      shared.set(key, lines);
      this.#write(file, lines);
    }
  }

  #write({ path, own }: HostsFile, shared: string): void {
    const content = own + shared;
    if (this.#written.get(path) === content) return;
    overwrite(path, content);
    this.#written.set(path, content);
  }
}

/**
 * Writes in place, because running containers have this inode mounted. Truncates after the write, so that concurrent
 * readers see whole lines.
 */
function overwrite(path: string, content: string): void {
  const file = openSync(path, 'a+', 0o644);
  closeSync(file);
  const inPlace = openSync(path, 'r+');
  try {
    writeSync(inPlace, content, 0);
    ftruncateSync(inPlace, Buffer.byteLength(content));
  } finally {
    closeSync(inPlace);
  }
}

function keyOfPod({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function serviceFacts(object: KubeObject): ServiceFacts {
  const { metadata, spec } = object as ServiceObject;
  return {
    namespace: metadata.namespace ?? 'default',
    name: metadata.name,
    selector: spec?.selector ?? {},
    publishNotReadyAddresses: spec?.publishNotReadyAddresses ?? false,
  };
}
