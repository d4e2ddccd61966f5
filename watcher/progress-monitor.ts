import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { isForbidden } from '../cluster/errors.ts';
import { CAUGHT_UP, followLog, type LogSource } from '../cluster/follow-log.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { FORBIDDEN_MS, PROGRESS_MS } from './digest/throttle.ts';
import type { Job, Speaker } from './jobs/job.ts';
import { logOf, speakerOf } from './jobs/main-pod.ts';
import { metrics } from './metrics.ts';
import { hasEnded } from './pods/pod-facts.ts';
import { type Check, hasReadAnnotations, hasReadLog } from './progress/caught-up.ts';
import { LogEar } from './progress/log-matcher.ts';
import { Words } from './progress/progress-tracker.ts';

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
  /** All that was in the log when it was opened has been read. */
  caughtUp: boolean;
  /** When the last line was written that was read. */
  readTo?: string;
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

  /** Asks the API server whether anything was said that has not been heard yet. Throws if that cannot be found out. */
  async check(job: Job): Promise<Check> {
    const { anchor, words } = job;
    const progress = anchor?.watch.rules?.progress;
    const speaker = anchor && speakerOf(job, anchor);
    if (job.unheard) return { unheard: job.unheard };
    if (!progress || !words || speaker?.uid !== words.pod)
      return { unheard: 'the pod that tells it is not there' };
    const pod = { namespace: anchor.namespace, name: speaker.name, uid: speaker.uid };
    const heard = { words, rules: anchor.watch.rules! };
    if (progress.annotation && !(await hasReadAnnotations(this.#tools.cluster, pod, heard))) return 'behind';
    if (progress.log && !(await this.#hasReadLog(job, speaker, anchor))) return 'behind';
    return { silentMs: words.silentMs };
  }

  /** Its log is opened again: the stream there is brings nothing more. */
  listenAnew(job: Job): void {
    this.#leave(job);
    this.look(job);
  }

  async #hasReadLog(job: Job, speaker: Speaker, anchor: AnchorFacts): Promise<boolean> {
    const source = logOf(speaker, anchor);
    const stream = this.#streams.get(job);
    // Before the container has started, and after its log was read to the end.
    if (!source || !stream) return !source || hasEnded(speaker);
    const { caughtUp, readTo, stopped } = stream;
    return caughtUp && hasReadLog(this.#tools.cluster, source, { readTo, signal: stopped.signal });
  }

  /** What a job asks for is written by its worker: of another version, perhaps. */
  #complain(job: Job): void {
    const { uid, anchor } = job;
    if (!anchor?.watch.fault) return;
    job.unheard = `what to look out for cannot be read from its anchor: ${anchor.watch.fault}`;
    if (this.#faults.has(uid)) return;
    this.#faults.add(uid);
    this.#tools.log.warn({ anchor }, 'what to look out for cannot be read from the anchor of a job');
  }

  #leave(job: Job): void {
    this.#waiting.delete(job);
    const stream = this.#streams.get(job);
    if (stream) this.#close(job, stream);
  }

  #listenTo(job: Job, speaker: Speaker, anchor: AnchorFacts): void {
    const source = logOf(speaker, anchor);
    const stream = this.#streams.get(job);
    if (!source || (stream && stream.pod !== speaker.uid)) this.#leave(job);
    const current = this.#streams.get(job);
    if (current) {
      current.over = hasEnded(speaker);
      return;
    }
    job.unheard = undefined;
    if (source && !hasEnded(speaker)) this.#open(job, speaker.uid, source);
    else this.#waiting.delete(job);
  }

  #open(job: Job, pod: string, source: LogSource): void {
    if (this.#signal.aborted) return;
    if (this.#streams.size >= (this.#tools.most ?? MOST_LOGS)) {
      this.#wait(job);
      return;
    }
    this.#waiting.delete(job);
    const stream: Stream = { pod, stopped: new AbortController(), over: false, caughtUp: false, toldAt: 0 };
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
    job.unheard = `a watcher follows ${most} logs at once, and these are taken`;
    this.#waiting.add(job);
    this.#count();
  }

  #close(job: Job, stream: Stream): void {
    stream.stopped.abort();
    clearTimeout(stream.timer);
    if (this.#streams.get(job) !== stream) return;
    this.#streams.delete(job);
    this.#offerSlot();
    this.#count();
  }

  /** To one that still wants it. */
  #offerSlot(): void {
    for (const job of this.#waiting) {
      if (this.#streams.size >= (this.#tools.most ?? MOST_LOGS)) return;
      this.#waiting.delete(job);
      this.#tools.heard(job, this.look(job));
    }
  }

  #stop(): void {
    this.#waiting.clear();
    for (const [job, stream] of [...this.#streams]) this.#close(job, stream);
  }

  async #listen(job: Job, stream: Stream, source: LogSource): Promise<void> {
    const { words } = job;
    const { signal } = stream.stopped;
    const ear = new LogEar(() => job.anchor?.watch.rules);
    const trouble = (error: unknown) => this.#trouble(job, source, error);
    const following = followLog(this.#tools.cluster, source, { signal, isOver: () => stream.over, trouble });
    for await (const line of following) {
      const heard = line === CAUGHT_UP ? ear.caughtUp() : ear.hear(line);
      if (line === CAUGHT_UP) this.#caughtUp(job, stream);
      else stream.readTo = line.time;
      for (const word of heard) this.#pass(job, stream, words!.hear(word));
    }
    // What was said last, and not yet passed on.
    if (stream.timer && !signal.aborted) this.#tools.heard(job, false);
  }

  #caughtUp(job: Job, stream: Stream): void {
    stream.caughtUp = true;
    job.words?.caughtUp();
    this.#note(job, undefined);
  }

  #note(job: Job, unheard: string | undefined): void {
    if (job.unheard === unheard) return;
    job.unheard = unheard;
    this.#tools.heard(job, false);
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
  #trouble(job: Job, source: LogSource, error: unknown): number {
    if (!isForbidden(error)) {
      this.#tools.log.debug({ err: error, ...source }, 'a log cannot be read now; trying again');
      return 0;
    }
    this.#note(job, `the watcher may not read its log: ${(error as Error).message}`);
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
