import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface EngineSettings {
  readonly kubeconfig: string;
  readonly temporalAddress: string;
  readonly connections: number;
}

export type EnginePart = 'worker' | 'watcher';

const BIN = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));
const READY_MS = 60_000;
const STOP_MS = 15_000;
const KEPT_LINES = 30;

/** `signalbox worker` or `signalbox watcher`, started as a user starts it, in a process of its own. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #part: EnginePart;
  readonly #said: string[] = [];

  static async start(part: EnginePart, settings: EngineSettings): Promise<EngineProcess> {
    const engine = new EngineProcess(part, settings);
    try {
      await engine.#ready();
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    }
  }

  private constructor(part: EnginePart, settings: EngineSettings) {
    this.#part = part;
    const { kubeconfig, temporalAddress, connections } = settings;
    const flags = ['--kubeconfig', kubeconfig, '--temporal-address', temporalAddress, '--http-port', '0'];
    this.#child = spawn(process.execPath, [BIN, part, ...flags], {
      env: {
        ...process.env,
        SIGNALBOX_CONNECTIONS: String(connections),
        SIGNALBOX_EVIDENCE_DIR: join(dirname(kubeconfig), 'evidence'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // However the bench ends, its engine ends with it.
    const end = () => void this.#child.kill('SIGKILL');
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
    createInterface({ input: this.#child.stderr! }).on('line', (line) => {
      this.#said.push(line);
      // The address comes first and must not be lost.
      if (this.#said.length > KEPT_LINES) this.#said.splice(1, 1);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** As it tells Prometheus: a name, with labels where it has any; 0 before it tells one. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#address}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? 0);
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

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #ready(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (!(await this.#isReady())) {
      if (this.#hasEnded() || Date.now() > deadline) {
        throw new Error(`the ${this.#part} did not become ready; it said:\n${this.#said.join('\n')}`);
      }
      await delay(50);
    }
  }

  get #address(): string | undefined {
    return /"address":"(http[^"]+)"/.exec(this.#said[0] ?? '')?.[1];
  }

  async #isReady(): Promise<boolean> {
    if (!this.#address) return false;
    return fetch(`${this.#address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
