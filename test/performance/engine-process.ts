import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { archiveDirOf } from './archived-jobs.ts';
import { answersOk, MeasuredProcess } from './measured-process.ts';

export interface EngineSettings {
  readonly kubeconfig: string;
  readonly temporalAddress: string;
  readonly connections: number;
  /** The label by which the watcher counts the jobs of teams; by default none. */
  readonly teamLabel?: string;
  /** The ConfigMap with lanes, as `namespace/name`; by default none. */
  readonly lanes?: string;
  /** Of the pages of a console. */
  readonly consolePort?: number;
}

export type EnginePart = 'worker' | 'watcher' | 'bridge' | 'console';

const BIN = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));

/** `signalbox worker`, `watcher`, `bridge` or `console`, started as a user starts it, in a process of its own. */
export class EngineProcess extends MeasuredProcess {
  static async start(part: EnginePart, settings: EngineSettings): Promise<EngineProcess> {
    const engine = new EngineProcess(part, settings);
    await engine.untilReady(() => engine.#isReady());
    return engine;
  }

  private constructor(
    part: EnginePart,
    { kubeconfig, temporalAddress, connections, teamLabel, lanes, consolePort }: EngineSettings,
  ) {
    const flags = ['--kubeconfig', kubeconfig, '--temporal-address', temporalAddress, '--http-port', '0'];
    super({
      name: part,
      program: process.execPath,
      args: [BIN, part, ...flags],
      env: {
        SIGNALBOX_CONNECTIONS: String(connections),
        SIGNALBOX_EVIDENCE_DIR: join(dirname(kubeconfig), 'evidence'),
        // Not the user's own archive.
        SIGNALBOX_ARCHIVE_DIR: archiveDirOf(kubeconfig),
        ...(consolePort ? { SIGNALBOX_CONSOLE_PORT: String(consolePort) } : {}),
        ...(lanes ? { SIGNALBOX_LANES: lanes } : {}),
        ...(teamLabel ? { SIGNALBOX_TEAM_LABEL: teamLabel } : {}),
      },
    });
  }

  /** As it tells Prometheus: a name, with labels where it has any; 0 before it tells one. */
  async metric(name: string): Promise<number> {
    const line = (await this.scrape()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? 0);
  }

  /** The sum of a metric over all its labels. */
  async sumOf(name: string): Promise<number> {
    const lines = (await this.scrape()).split('\n').filter((one) => one.startsWith(`${name}{`));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** The page for Prometheus. */
  async scrape(): Promise<string> {
    return (await fetch(`${this.#address}/metrics`)).text();
  }

  get #address(): string | undefined {
    return /"address":"(http[^"]+)"/.exec(this.firstLine)?.[1];
  }

  async #isReady(): Promise<boolean> {
    return this.#address !== undefined && answersOk(`${this.#address}/readyz`);
  }
}
