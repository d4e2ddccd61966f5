import type { Logger } from 'pino';
import type { Running } from '../../contracts/settings.ts';
import { BackOff } from '../../language/back-off.ts';
import { pause } from '../../language/timers.ts';
import type { Settings } from '../settings/settings.ts';
import { type End, GroupProcess, type NodeScript } from './group-process.ts';
import { joinedPages, withLabel } from './metrics-page.ts';
import type { HostedProcess } from './run-processes.ts';
import { WorkerProcessError } from './worker-process-error.ts';

const PAUSE = { firstMs: 1_000, mostMs: 30_000 };
/** A process that has run for so long is replaced after the first pause again. */
const STEADY_MS = 60_000;

/** Worker processes that share a task queue, as a part of this process. */
export const workerGroup = (count: number, script: NodeScript): HostedProcess => ({
  name: 'workers',
  start: async (settings, log) => new WorkerGroup(script, { ...settings, processes: count }, log),
});

/**
 * A process that ends is replaced, after pauses that grow. If one ends before any was ready, they cannot work, and
 * `failed` rejects with its error.
 */
class WorkerGroup implements Running {
  readonly failed: Promise<never>;
  readonly #start: (number: number) => GroupProcess;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  /** Undefined while one waits for its replacement. */
  readonly #processes: (GroupProcess | undefined)[] = [];
  #wasReady = false;

  constructor(script: NodeScript, settings: Settings & { readonly processes: number }, log: Logger) {
    this.#log = log;
    this.#start = (number) => new GroupProcess(script, { number, settings });
    const kept = Array.from({ length: settings.processes }, (_, index) => this.#keepRunning(index));
    this.failed = Promise.all(kept).then(() => new Promise<never>(() => undefined));
    this.failed.catch(() => undefined); // callers may await it later
    process.on('exit', this.#killAll);
  }

  unready(): string | undefined {
    return this.#reasons((process, index) =>
      process ? process.unready() : `worker ${index + 1}: it has ended and is replaced`,
    );
  }

  impaired(): string | undefined {
    return this.#reasons((process) => process?.impaired());
  }

  /** Each series has the number of its process: a sum would fall when a process is replaced. */
  readonly metrics = async (): Promise<string> => {
    const pages = this.#processes.map(async (process, index) =>
      withLabel((await process?.metrics()) ?? '', `process="${index + 1}"`),
    );
    return joinedPages(await Promise.all(pages));
  };

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#processes.map((process) => process?.stop()));
    process.off('exit', this.#killAll);
  }

  readonly #killAll = (): void => {
    for (const process of this.#processes) process?.kill();
  };

  async #keepRunning(index: number): Promise<void> {
    const { signal: stopping } = this.#stopping;
    const backOff = new BackOff(PAUSE);
    for (;;) {
      const since = performance.now();
      const end = await this.#run(index);
      if (stopping.aborted) return;
      if (!this.#wasReady) throw errorOf(end);
      if (performance.now() - since > STEADY_MS) backOff.reset();
      const wait = backOff.next();
      const about = { process: index + 1, err: errorOf(end) };
      this.#log.warn(about, `a worker process has ended; another one starts in ${wait / 1000} s`);
      await pause(wait, stopping);
      if (stopping.aborted) return;
    }
  }

  async #run(index: number): Promise<End> {
    const process = this.#start(index + 1);
    this.#processes[index] = process;
    this.#log.info({ process: index + 1, pid: process.pid }, 'worker process started');
    const end = await process.ended;
    this.#wasReady ||= this.#processes.some((one) => one?.wasReady);
    this.#processes[index] = undefined;
    return end;
  }

  #reasons(reasonOf: (process: GroupProcess | undefined, index: number) => string | undefined) {
    const reasons = this.#processes.flatMap((process, index) => reasonOf(process, index) ?? []);
    return reasons.length ? reasons.join('; ') : undefined;
  }
}

const errorOf = ({ code, signal, failure }: End): WorkerProcessError =>
  new WorkerProcessError(
    failure ?? { message: `A worker process ended ${signal ? `by ${signal}` : `with exit code ${code}`}.` },
  );
