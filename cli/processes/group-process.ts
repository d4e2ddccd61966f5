import { type ChildProcess, fork } from 'node:child_process';
import { type Assignment, BEAT_MS, type Beat, type ProcessFailure, type Report } from './process-messages.ts';

/** What runs in each process of a group: a script of Node with its arguments. */
export interface NodeScript {
  readonly path: string;
  readonly args: readonly string[];
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it reported, if it failed by itself. */
  readonly failure?: ProcessFailure;
}

const SILENT_AFTER_BEATS = 5;
const HUNG_AFTER_BEATS = 60;
const METRICS_MS = 5_000;

/** A process of a group, as the command sees it that started it. */
export class GroupProcess {
  readonly ended: Promise<End>;
  readonly #name: string;
  readonly #child: ChildProcess;
  #beat: Beat | undefined;
  #failure: ProcessFailure | undefined;
  #wasReady = false;
  /** Counted, not timed: after a standstill of the whole machine no process counts as silent. */
  #missedBeats = 0;

  constructor({ path, args }: NodeScript, assignment: Assignment) {
    this.#name = `worker ${assignment.number}`;
    this.#child = fork(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (report) => this.#hear(report as Report));
    this.ended = this.#untilEnded();
    if (this.#child.connected) this.#child.send(assignment, () => undefined); // `ended` tells of a process that is gone
    const counting = setInterval(() => this.#countBeats(), BEAT_MS);
    void this.ended.then(() => clearInterval(counting));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get wasReady(): boolean {
    return this.#wasReady;
  }

  unready(): string | undefined {
    if (!this.#beat) return `${this.#name}: starting`;
    if (this.#missedBeats > SILENT_AFTER_BEATS) {
      return `${this.#name}: it has not answered for ${this.#missedBeats} s`;
    }
    return this.#beat.unready;
  }

  impaired(): string | undefined {
    return this.#beat?.impaired;
  }

  /** Its page of metrics; an empty one if it does not answer. */
  async metrics(): Promise<string> {
    if (!this.#beat) return '';
    try {
      const answer = await fetch(`${this.#beat.address}/metrics`, {
        signal: AbortSignal.timeout(METRICS_MS),
      });
      return answer.ok ? await answer.text() : '';
    } catch {
      return '';
    }
  }

  /** Lets it shut down in order. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.ended;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Also until its channel is closed, from which a report may come after its end. */
  #untilEnded(): Promise<End> {
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        const end = () => resolve({ code, signal, failure: this.#failure });
        if (this.#child.connected) this.#child.once('disconnect', end);
        else end();
      });
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) resolve({ code: null, signal: null, failure: error });
      });
    });
  }

  #hear(report: Report): void {
    if ('failure' in report) {
      this.#failure = report.failure;
      return;
    }
    this.#beat = report.beat;
    this.#missedBeats = 0;
    this.#wasReady ||= report.beat.unready === undefined;
  }

  #countBeats(): void {
    if (++this.#missedBeats < HUNG_AFTER_BEATS) return;
    this.#failure = { message: `It has not answered for ${this.#missedBeats} s and was killed.` };
    this.kill();
  }
}
