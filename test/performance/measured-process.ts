import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

export interface Command {
  /** For messages. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the bench's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** By default that of the bench. */
  readonly user?: SystemUser;
}

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** A first start bundles the workflows, which takes a busy machine more than a minute. */
const READY_MS = 240_000;
const STOP_MS = 15_000;
const KEPT_LINES = 30;

/** A process that the bench measures. However the bench ends, the process ends with it. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #said: string[] = [];

  constructor({ name, program, args, env, user }: Command) {
    this.#name = name;
    this.#child = spawn(program, args, {
      env: { ...process.env, ...env },
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const end = () => void this.#child.kill('SIGKILL');
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
    createInterface({ input: this.#child.stderr! }).on('line', (line) => {
      this.#said.push(line);
      // The first line must not be lost: it may have the address.
      if (this.#said.length > KEPT_LINES) this.#said.splice(1, 1);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async stop(): Promise<void> {
    if (this.#hasEnded()) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await exit;
    clearTimeout(patience);
  }

  /** What it said first on stderr. */
  protected get firstLine(): string {
    return this.#said[0] ?? '';
  }

  /** Stops the process if it does not become ready. */
  protected async untilReady(isReady: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + READY_MS;
    try {
      while (!(await isReady())) {
        if (this.#hasEnded() || Date.now() > deadline) {
          throw new Error(`the ${this.#name} did not become ready; it said:\n${this.#said.join('\n')}`);
        }
        await delay(50);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Whether a GET succeeds. */
export const answersOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
