import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '@signalbox/sandbox';
import { sandboxLayout } from '@signalbox/sandbox';

const BIN = fileURLToPath(new URL('../cli/bin.mjs', import.meta.url));
const READY_WITHIN_MS = 180_000;
const LOG_SHOWN = 2_000;

export type EngineCommand = 'worker' | 'watcher' | 'bridge' | 'notifier' | 'up';

export interface EngineOptions {
  /** The log file; each start appends to it. */
  readonly logFile: string;
  /** The command line to run; this checkout's by default. */
  readonly bin?: string;
  /** Keeps running when the process that started it ends. */
  readonly outlives?: boolean;
  /** Time limit for becoming ready, in milliseconds; 180,000 by default. */
  readonly readyWithinMs?: number;
}

/** A signalbox process as users run it, against a sandbox: `signalbox worker`, `watcher` or `up`. */
export class Engine {
  readonly #command: EngineCommand;
  readonly #options: EngineOptions;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #address: string | undefined;

  constructor(
    command: EngineCommand,
    sandbox: Pick<Sandbox, 'dir' | 'kubeconfig' | 'temporalAddress'>,
    options: EngineOptions,
  ) {
    this.#command = command;
    this.#options = options;
    this.#environment = {
      ...process.env,
      NODE_OPTIONS: '',
      TEMPORAL_ADDRESS: sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
      SIGNALBOX_EVIDENCE_DIR: sandboxLayout(sandbox.dir).evidence,
      SIGNALBOX_ARCHIVE_DIR: sandboxLayout(sandbox.dir).archive,
      // The successor of a killed watcher waits this many seconds; the usual 15 are long on one machine.
      SIGNALBOX_LEASE_DURATION: '3',
      SIGNALBOX_SCAN_INTERVAL: '2',
      // The log says where the process listens.
      SIGNALBOX_LOG_LEVEL: 'info',
    };
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Where it serves health and metrics, once it is ready. */
  get address(): string {
    if (!this.#address) throw new Error(`signalbox ${this.#command} is not ready`);
    return this.#address;
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Starts the process and waits until it is ready; `settings` apply to this start only. */
  async start(settings: NodeJS.ProcessEnv = {}): Promise<this> {
    const { child, logFrom } = this.#spawn({ ...this.#environment, ...settings, SIGNALBOX_HTTP_PORT: '0' });
    this.#process = child;
    const { readyWithinMs = READY_WITHIN_MS } = this.#options;
    const until = Date.now() + readyWithinMs;
    let address: string | undefined;
    for (;;) {
      address ??= this.#addressIn(logFrom);
      if (address && (await isReady(address))) {
        this.#address = address;
        return this;
      }
      if (!this.isRunning || Date.now() > until) throw this.#notReady(child, readyWithinMs);
      await delay(50);
    }
  }

  /** Kills the process like a crash, without any clean-up. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Where the process listens, once its log says so. `logFrom`: the size of the log in bytes when it was started. */
  #addressIn(logFrom: number): string | undefined {
    const lines = readFileSync(this.#options.logFile).subarray(logFrom).toString().split('\n');
    const line = lines.find((one) => one.endsWith('}') && one.includes('"listening for health'));
    return line && (JSON.parse(line) as { address: string }).address;
  }

  #spawn(env: NodeJS.ProcessEnv): { readonly child: ChildProcess; readonly logFrom: number } {
    const { logFile, bin = BIN, outlives = false } = this.#options;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    try {
      const logFrom = fstatSync(log).size;
      const stdio = ['ignore', 'ignore', log] as const;
      const child = spawn(process.execPath, [bin, this.#command], {
        env,
        stdio: [...stdio],
        detached: outlives,
      });
      // It keeps this process alive only while its end is awaited.
      child.unref();
      return { child, logFrom };
    } finally {
      closeSync(log);
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || !this.isRunning) return;
    child.ref();
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  #notReady({ exitCode, signalCode }: ChildProcess, withinMs: number): Error {
    const end = exitCode ?? signalCode;
    const how = end === null ? `is not ready after ${withinMs / 1000} s` : `ended with ${end}`;
    return new Error(
      `signalbox ${this.#command} ${how}; its log ends with:\n${readFileSync(this.#options.logFile, 'utf8').slice(-LOG_SHOWN)}`,
    );
  }
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok;
  } catch {
    return false;
  }
}
