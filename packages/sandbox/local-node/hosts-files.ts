import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KubeObject, ReflectorHandlers } from '../engine.ts';
import {
  type HostEntry,
  type PodEndpoint,
  type ServiceFacts,
  serviceEntries,
  sharedLines,
} from './hosts-file.ts';

/** One pod's hosts file. */
export interface HostsFile {
  readonly path: string;
  /** Where its pod looks for short names. */
  readonly searches: readonly string[];
  /** Its first lines, which do not change. */
  readonly own: string;
}

interface ServiceObject extends KubeObject {
  readonly spec?: { selector?: Record<string, string>; publishNotReadyAddresses?: boolean };
}

/** Changes that come together are written together; a person does not notice this long, a burst of 100 pods does. */
const SETTLE_MS = 10;

/** Keeps the hosts files of all running pods as Services and pods come, become ready and go. */
export class HostsFiles implements ReflectorHandlers<KubeObject> {
  readonly #services = new Map<string, ServiceFacts>();
  readonly #files = new Map<string, HostsFile>();
  readonly #written = new Map<string, string>();
  readonly #pods: () => readonly PodEndpoint[];
  #timer: NodeJS.Timeout | undefined;
  #known: () => void = () => undefined;
  /** Resolves when the Services have been read for the first time. */
  readonly known = new Promise<void>((resolve) => {
    this.#known = resolve;
  });

  constructor(pods: () => readonly PodEndpoint[]) {
    this.#pods = pods;
  }

  /** Writes the file before its pod starts, and keeps it from then on. */
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

  /** Something about pods or Services has changed. */
  refresh(): void {
    this.#timer ??= setTimeout(() => this.#writeAll(), SETTLE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  replaced(objects: readonly KubeObject[]): void {
    this.#services.clear();
    for (const object of objects) this.#services.set(keyOf(object), serviceFacts(object));
    this.#known();
    this.refresh();
  }

  changed(object: KubeObject): void {
    this.#services.set(keyOf(object), serviceFacts(object));
    this.refresh();
  }

  deleted(object: KubeObject): void {
    this.#services.delete(keyOf(object));
    this.refresh();
  }

  #entries(): HostEntry[] {
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
 * In place, because running containers have this very inode mounted. In one write and only then shortened: whoever
 * reads meanwhile finds whole lines.
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

function keyOf({ metadata }: KubeObject): string {
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
