import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './manifests.ts';

/** The worker or the watcher as its container runs it: a process with a command and an environment. */
export class EngineProcess {
  readonly #child: ChildProcess;
  #log = '';

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [join(ROOT, 'cli/bin.mjs'), ...command], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#log += chunk;
    });
  }

  get log(): string {
    return this.#log;
  }

  /** What `/readyz` of the address that it logged says; undefined while it listens nowhere. */
  async readiness(): Promise<{ status: number; text: string } | undefined> {
    if (this.#child.exitCode !== null) throw new Error(`it has ended:\n${this.#log}`);
    const [, address] = /"address":"(http:[^"]+)"/.exec(this.#log) ?? [];
    if (!address) return undefined;
    const answer = await fetch(`${address}/readyz`);
    return { status: answer.status, text: await answer.text() };
  }

  /** Gives its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}
