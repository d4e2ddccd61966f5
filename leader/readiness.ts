import { type InterruptedStream, interruptedSince } from '../contracts/interrupted-streams.ts';
import { CONFIG_MAPS, objectsOfStream, PODS, streamOf } from '../contracts/kubernetes.ts';
import { errorMessage } from '../language/error-message.ts';
import { Streams } from './streams.ts';

/** Objects without which a watcher can do nothing for any job. */
const VITAL: ReadonlySet<string> = new Set([CONFIG_MAPS, PODS].map((resource) => streamOf(resource)));

export const isVital = (stream: string): boolean => VITAL.has(objectsOfStream(stream));

/** Why a process is not ready, by part. A healthy part has no entry. */
export class Readiness {
  readonly streams = new Streams();
  readonly #troubles = new Map<string, string>();
  readonly #impaired = new Map<string, string>();

  set(part: string, trouble: unknown): void {
    note(this.#troubles, part, trouble);
  }

  /** Records why the process runs without this part; undefined clears it. */
  impair(part: string, trouble: unknown): void {
    note(this.#impaired, part, trouble);
  }

  why(): string | undefined {
    return textOfTroubles(this.#troubles, this.#interrupted({ ofAll: true }));
  }

  /** Returns what a ready process runs without. */
  impairedBy(): string | undefined {
    return textOfTroubles(this.#impaired, this.#interrupted({ ofAll: false }));
  }

  clear(): void {
    this.#troubles.clear();
    this.#impaired.clear();
    this.streams.clear();
  }

  /** `ofAll`: those that keep it from doing anything for any job. What one namespace lacks concerns no other. */
  #interrupted({ ofAll }: { readonly ofAll: boolean }): InterruptedStream[] {
    const interruptions = this.streams.interruptions();
    const interrupted = new Set(interruptions.map(({ stream }) => stream));
    const isOfAll = (stream: string) =>
      isVital(stream) && this.streams.of(objectsOfStream(stream)).every((one) => interrupted.has(one));
    return interruptions.filter(({ stream }) => isOfAll(stream) === ofAll);
  }
}

function textOfTroubles(troubles: ReadonlyMap<string, string>, interruptions: readonly InterruptedStream[]) {
  const texts = [...troubles].map(([part, trouble]) => `${part}: ${trouble}`);
  const more = interruptions.filter(({ stream }) => !troubles.has(stream)).map(interruptedSince);
  return [...texts, ...more].join('; ') || undefined;
}

function note(troubles: Map<string, string>, part: string, trouble: unknown): void {
  if (trouble === undefined) troubles.delete(part);
  else troubles.set(part, errorMessage(trouble));
}
