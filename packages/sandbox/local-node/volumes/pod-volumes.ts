import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, isAbortError } from '../../engine.ts';
import type { References } from '../references.ts';
import type { DownwardFacts } from './downward-files.ts';
import type { Volume } from './fields.ts';
import { setUpVolume, type VolumeSource } from './volume-kinds.ts';

/** Retries what no watch reports, such as a file that a hostPath needs. */
const RETRY_MS = 1_000;

interface PodVolumesOptions {
  readonly dir: string;
  readonly references: References;
  /** Reads the latest version of the pod: its labels may change. */
  facts(): DownwardFacts;
  /** Called once for each message. */
  onFailure(message: string): void;
}

/** All volumes of a pod: set up before its first container starts, and updated until it ends. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #wanted: readonly Volume[];
  readonly #sources = new Map<string, VolumeSource>();
  readonly #reported = new Set<string>();
  #updating: Promise<void> = Promise.resolve();

  constructor(options: PodVolumesOptions) {
    this.#options = options;
    this.#wanted = (options.facts().pod.spec.volumes ?? []).filter(({ name }) => !isTokenVolume(name));
  }

  get areSetUp(): boolean {
    return this.#wanted.every(({ name }) => this.#sources.has(name));
  }

  /** Undefined for a volume that the node leaves out. */
  sourceOf(name: string): VolumeSource | undefined {
    return this.#sources.get(name);
  }

  /** Resolves when all are set up, or the signal aborts. Then updates them when their sources change. */
  async setUp(stop: AbortSignal): Promise<void> {
    const { references } = this.#options;
    let seen = references.revision;
    while (!stop.aborted && !this.areSetUp) {
      seen = references.revision; // read before the set-up, so that changes during it are noticed
      await this.#setUpAll();
      if (!this.areSetUp) await this.#pause(seen, stop);
    }
    if (this.#wanted.length > 0) this.#updating = this.#update(seen, stop);
  }

  /** Removes the files after the updates have stopped: an emptyDir lives as long as its pod. */
  async remove(): Promise<void> {
    await this.#updating;
    await rm(this.#options.dir, { recursive: true, force: true });
  }

  async #update(from: number, stop: AbortSignal): Promise<void> {
    const { references } = this.#options;
    let seen = from;
    while (!stop.aborted) {
      await references.changedSince(seen, stop);
      seen = references.revision;
      if (!stop.aborted) await this.#setUpAll();
    }
  }

  async #pause(seen: number, stop: AbortSignal): Promise<void> {
    const retry = AbortSignal.any([stop, AbortSignal.timeout(RETRY_MS)]);
    await this.#options.references.changedSince(seen, retry);
  }

  /** A volume whose update fails keeps its old content, as on a kubelet. */
  async #setUpAll(): Promise<void> {
    const { dir, references, facts } = this.#options;
    for (const volume of this.#wanted) {
      const context = { dir: join(dir, volume.name), find: references.find, facts: facts() };
      try {
        this.#sources.set(volume.name, await setUpVolume(volume, context));
      } catch (error) {
        this.#explain(volume, error);
      }
    }
  }

  #explain({ name }: Volume, error: unknown): void {
    if (isAbortError(error)) return;
    const message = `MountVolume.SetUp failed for volume "${name}" : ${errorMessage(error)}`;
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#options.onFailure(message);
  }
}

/** The API server adds a volume for the token of the service account. The node has no tokens. */
function isTokenVolume(name: string): boolean {
  return name.startsWith('kube-api-access-');
}
