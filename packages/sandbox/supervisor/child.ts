import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, identify, type ProcessIdentity } from '../engine.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import type { ComponentState } from '../state.ts';
import type { Component } from './component.ts';
import { openLog } from './open-log.ts';
import { type LogPart, lastLines, startFailure } from './start-failure.ts';

const POLL_MS = 25;

const BACKOFF_MS = [0, 500, 1_000, 2_000, 4_000] as const;
const DEATHS_WINDOW_MS = 60_000;

export type StopHow = 'gracefully' | 'kill';

interface ChildOptions {
  readonly reaper: ProcessReaper;
  readonly log: string;
  readonly onChange: () => void;
  /** The wait before each restart. After one more death within a minute the component has failed. */
  readonly backoffMs?: readonly number[];
  /** Never fails by dying too often; the last wait then repeats. */
  readonly isEndless?: boolean;
}

/** One component's process: kept running from `start` to `stop`. */
export class Child {
  readonly component: Component;
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #identity: ProcessIdentity | undefined;
  #ended: Promise<void> = Promise.resolve();
  #wanted = false;
  #state: ComponentState['state'] = 'stopped';
  #message: string | undefined;
  #restarts = 0;
  #deaths: number[] = [];
  #logPart: LogPart;

  constructor(component: Component, options: ChildOptions) {
    this.component = component;
    this.#options = options;
    this.#logPart = { path: options.log, from: 0 };
  }

  get state(): ComponentState {
    return {
      name: this.component.name,
      state: this.#state,
      process: this.#identity,
      restarts: this.#restarts,
      log: this.#options.log,
      message: this.#message,
    };
  }

  /** Resolves when the process is ready; rejects if it ends first or takes too long. */
  async start(): Promise<void> {
    this.#wanted = true;
    this.#deaths = [];
    const child = this.#spawn();
    try {
      await this.#untilReady(child);
    } catch (error) {
      this.#wanted = false;
      this.#set('failed', errorMessage(error));
      throw error;
    }
  }

  /** Resolves when the process has ended. */
  async stop(how: StopHow = 'gracefully'): Promise<void> {
    this.#wanted = false;
    const child = this.#process;
    if (child?.pid !== undefined) {
      if (how === 'gracefully') {
        child.kill('SIGTERM');
        await Promise.race([this.#ended, delay(this.component.stopWithinMs, undefined, { ref: false })]);
      }
      if (this.#process !== undefined) killGroup(child.pid);
      await this.#ended;
    }
    this.#set('stopped');
  }

  async restart(how: StopHow): Promise<void> {
    await this.stop(how);
    this.#restarts += 1;
    await this.start();
  }

  #spawn(): ChildProcess {
    const log = openLog(this.#options.log);
    this.#logPart = { path: this.#options.log, from: fstatSync(log).size };
    const { program, args, cwd, env } = this.component;
    const options = { detached: true, cwd, env: { ...process.env, ...env } };
    const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    if (child.pid !== undefined) this.#options.reaper.add(child.pid);
    this.#process = child;
    this.#identity = child.pid === undefined ? undefined : identify(child.pid);
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid === undefined) resolve(this.#onEnd(child, error.message));
      });
      child.once('exit', (code, signal) =>
        resolve(this.#onEnd(child, signal ? `killed by ${signal}` : `exit code ${code}`)),
      );
    });
    this.#set('starting', this.#message);
    return child;
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const { component } = this;
    const since = Date.now();
    const deadline = since + component.readyWithinMs;
    while (!(await component.isReady(since).catch(() => false))) {
      if (this.#process !== child)
        throw startFailure(component.name, this.#message ?? 'it ended', this.#logPart);
      if (Date.now() > deadline) {
        if (child.pid !== undefined) killGroup(child.pid);
        await this.#ended;
        throw startFailure(
          component.name,
          `not ready within ${component.readyWithinMs / 1000} s`,
          this.#logPart,
        );
      }
      await delay(POLL_MS);
    }
    if (this.#process !== child)
      throw startFailure(component.name, this.#message ?? 'it ended', this.#logPart);
    this.#set('ready', this.#message);
  }

  #onEnd(child: ChildProcess, how: string): void {
    if (child.pid !== undefined) {
      killGroup(child.pid); // its own children
      this.#options.reaper.remove(child.pid);
    }
    const wasReady = this.#state === 'ready' || this.#restarts > 0;
    this.#process = undefined;
    this.#identity = undefined;
    this.#message = how;
    if (this.#wanted && wasReady) this.#onDeath(how);
  }

  #onDeath(how: string): void {
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < DEATHS_WINDOW_MS), now];
    const { backoffMs = BACKOFF_MS, isEndless = false } = this.#options;
    const wait = backoffMs[this.#deaths.length - 1] ?? (isEndless ? backoffMs.at(-1) : undefined);
    if (wait === undefined) {
      this.#wanted = false;
      this.#set(
        'failed',
        `${how}, ${this.#deaths.length} times within a minute; last lines of its log:\n${lastLines(this.#logPart)}`,
      );
      return;
    }
    this.#set('restarting', `${how}, started again`);
    setTimeout(() => this.#revive(), wait);
  }

  /** #onEnd has already handled a failure of this start. */
  #revive(): void {
    if (!this.#wanted || this.#process !== undefined) return;
    this.#restarts += 1;
    this.#untilReady(this.#spawn()).catch(() => undefined);
  }

  #set(state: ComponentState['state'], message?: string): void {
    this.#state = state;
    this.#message = message;
    this.#options.onChange();
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // the whole group has ended
  }
}
