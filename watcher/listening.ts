import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { isForbidden } from '../cluster/errors.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { CAUGHT_UP, followLog, type LogSource } from './follow-log.ts';
import type { Job } from './job.ts';
import { LogEar } from './log-ear.ts';
import { metrics } from './metrics.ts';
import { FORBIDDEN_MS, PROGRESS_MS } from './pacing.ts';
import { hasEnded } from './pod-facts.ts';
import { type Speaker, speakerOf } from './speaker.ts';
import { Words } from './words.ts';

export interface ListeningTools {
  readonly cluster: ClusterClient;
  readonly log: Logger;
  /** Something was said in a job's log; `urgent`: what its workflow waits for. */
  readonly heard: (job: Job, urgent: boolean) => void;
  /** Logs followed at once at most, over all jobs. */
  readonly most?: number;
}

interface Stream {
  /** uid of the pod. */
  readonly pod: string;
  readonly stopped: AbortController;
  /** The pod has ended. */
  over: boolean;
  /** Words that are not passed on yet. */
  timer?: NodeJS.Timeout;
  toldAt: number;
}

const MOST_LOGS = 500;

/** Listens to the programs of the jobs that want it: to their annotations, and to their logs while they run. */
export class Listening {
  readonly #tools: ListeningTools;
  readonly #signal: AbortSignal;
  readonly #streams = new Map<Job, Stream>();
  /** Jobs whose log has to wait until another one ends. */
  readonly #waiting = new Set<Job>();
  /** uids of jobs whose rules cannot be read, once that is said. */
  readonly #faults = new Set<string>();
  #saidForbidden = false;

  constructor(tools: ListeningTools, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    // A stream's signals listen to it.
    signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** The job has changed. True if its annotations tell what its workflow waits for. */
  look(job: Job): boolean {
    const { anchor } = job;
    this.#complain(job);
    const rules = anchor?.watch.rules;
    const speaker = rules && !anchor.final && !anchor.deleted ? speakerOf(job, anchor) : undefined;
    if (!rules || !speaker) {
      this.#leave(job);
      return false;
    }
    if (job.words?.pod !== speaker.uid) job.words = new Words(speaker, job.words);
    const acknowledged = job.words.read(speaker.voice, rules);
    this.#listenTo(job, speaker, anchor);
    return acknowledged;
  }

  /** What a job asks for is written by its worker: of another version, perhaps. */
  #complain({ uid, anchor }: Job): void {
    if (!anchor?.watch.fault || this.#faults.has(uid)) return;
    this.#faults.add(uid);
    this.#tools.log.warn({ anchor }, 'what to look out for cannot be read from the anchor of a job');
  }

  #leave(job: Job): void {
    this.#waiting.delete(job);
    const stream = this.#streams.get(job);
    if (stream) this.#close(job, stream);
  }

  #listenTo(job: Job, speaker: Speaker, anchor: AnchorFacts): void {
    const source = sourceOf(speaker, anchor);
    const stream = this.#streams.get(job);
    if (!source || (stream && stream.pod !== speaker.uid)) this.#leave(job);
    const current = this.#streams.get(job);
    if (current) current.over = hasEnded(speaker);
    else if (source && !hasEnded(speaker)) this.#open(job, speaker.uid, source);
    else this.#waiting.delete(job);
  }

  #open(job: Job, pod: string, source: LogSource): void {
    if (this.#signal.aborted) return;
    if (this.#streams.size >= (this.#tools.most ?? MOST_LOGS)) {
      this.#wait(job);
      return;
    }
    this.#waiting.delete(job);
    const stream: Stream = { pod, stopped: new AbortController(), over: false, toldAt: 0 };
    this.#streams.set(job, stream);
    this.#count();
    const failed = (error: unknown) => this.#tools.log.error({ err: error, ...source }, 'listening failed');
    void this.#listen(job, stream, source)
      .catch(failed)
      .finally(() => this.#close(job, stream));
  }

  #wait(job: Job): void {
    const { log, most = MOST_LOGS } = this.#tools;
    if (this.#waiting.size === 0) {
      log.warn(
        { anchor: job.anchor, logs: most },
        'no more logs can be followed: a job’s progress has to wait',
      );
    }
    this.#waiting.add(job);
    this.#count();
  }

  #close(job: Job, stream: Stream): void {
    stream.stopped.abort();
    clearTimeout(stream.timer);
    if (this.#streams.get(job) !== stream) return;
    this.#streams.delete(job);
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      if (this.look(next)) this.#tools.heard(next, true);
    }
    this.#count();
  }

  #stop(): void {
    this.#waiting.clear();
    for (const [job, stream] of [...this.#streams]) this.#close(job, stream);
  }

  async #listen(job: Job, stream: Stream, source: LogSource): Promise<void> {
    const { words } = job;
    const { signal } = stream.stopped;
    const ear = new LogEar(() => job.anchor?.watch.rules);
    const trouble = (error: unknown) => this.#trouble(source, error);
    const following = followLog(this.#tools.cluster, source, { signal, isOver: () => stream.over, trouble });
    for await (const line of following) {
      const heard = line === CAUGHT_UP ? ear.caughtUp() : ear.hear(line);
      for (const word of heard) this.#pass(job, stream, words!.hear(word));
    }
    // What was said last, and not yet passed on.
    if (stream.timer && !signal.aborted) this.#tools.heard(job, false);
  }

  /** The first word after a silence at once, others together: a digest is made each time. */
  #pass(job: Job, stream: Stream, urgent: boolean): void {
    if (urgent) this.#tools.heard(job, true);
    if (urgent || stream.timer) return;
    const everyMs = job.anchor?.watch.rules?.everyMs ?? PROGRESS_MS;
    const tell = () => {
      stream.timer = undefined;
      stream.toldAt = Date.now();
      this.#tools.heard(job, false);
    };
    stream.timer = setTimeout(tell, Math.max(0, stream.toldAt + everyMs - Date.now()));
  }

  /** Milliseconds to wait at least. */
  #trouble(source: LogSource, error: unknown): number {
    if (!isForbidden(error)) {
      this.#tools.log.debug({ err: error, ...source }, 'a log cannot be read now; trying again');
      return 0;
    }
    if (!this.#saidForbidden) {
      this.#tools.log.warn(
        { err: error, ...source },
        'logs may not be read: progress told there goes unheard',
      );
    }
    this.#saidForbidden = true;
    return FORBIDDEN_MS;
  }

  #count(): void {
    metrics.logs.set({ state: 'followed' }, this.#streams.size);
    metrics.logs.set({ state: 'waiting' }, this.#waiting.size);
  }
}

/** The log that is listened to; undefined for a job that wants none, or before the container has started. */
function sourceOf({ name, role, voice }: Speaker, anchor: AnchorFacts): LogSource | undefined {
  const { progress, acknowledgedBy } = anchor.watch.rules ?? {};
  const container = anchor.mainContainers[role];
  if (!(progress?.log ?? acknowledgedBy?.log)) return undefined;
  if (!container || !voice.started.includes(container)) return undefined;
  return { namespace: anchor.namespace, pod: name, container };
}
