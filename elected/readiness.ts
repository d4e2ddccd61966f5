import { type InterruptedStream, interruptedSince } from '../contracts/interrupted-streams.ts';
import { CONFIG_MAPS, PODS, streamOf } from '../contracts/kubernetes.ts';
import { errorMessage } from '../language/error-message.ts';
import { Streams } from './streams.ts';

/** Streams without which a watcher can do nothing for any job. */
const VITAL: ReadonlySet<string> = new Set([CONFIG_MAPS, PODS].map(streamOf));

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
    return textOfTroubles(this.#troubles, this.#interrupted({ isVital: true }));
  }

  /** Returns what a ready process runs without. */
  impairedBy(): string | undefined {
    return textOfTroubles(this.#impaired, this.#interrupted({ isVital: false }));
  }

  clear(): void {
    this.#troubles.clear();
    this.#impaired.clear();
    this.streams.clear();
  }

  #interrupted = ({ isVital }: { readonly isVital: boolean }) =>
    this.streams.interruptions().filter(({ stream }) => VITAL.has(stream) === isVital);
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
