import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { freePort } from '../worker/free-port.ts';
import { debianProgram, hasDebianProgram } from './debian-package.ts';
import { eventually } from './eventually.ts';

const programIn = (name: string) => debianProgram('prometheus', name);
const run = promisify(execFile);

export const hasPrometheus = (): Promise<boolean> => hasDebianProgram('prometheus', 'promtool');

export const NO_PROMETHEUS =
  'this machine has no Prometheus: `apt-get download prometheus` found no package of Debian.';

/** Returns what promtool says; throws if it finds a fault. `input`: its standard input. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  const running = run(programIn('promtool'), [...args]);
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

/** A Prometheus that scrapes processes each second. */
export class Prometheus {
  readonly #address: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(address: string, folder: string, server: ChildProcess) {
    this.#address = address;
    this.#folder = folder;
    this.#process = server;
  }

  /** `scrapes`: the section `scrape_configs` of its configuration. `rules`: files. */
  static async start(scrapes: readonly object[], rules: readonly string[]): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-prometheus-'));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: rules,
      scrape_configs: scrapes,
    };
    await writeFile(join(folder, 'prometheus.yml'), stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    const server = spawn(programIn('prometheus'), [...args, `--web.listen-address=${address}`], {
      stdio: 'ignore',
    });
    const started = new Prometheus(`http://${address}`, folder, server);
    await eventually('Prometheus is ready', async () => (await fetch(`${started.#address}/-/ready`)).ok);
    return started;
  }

  /** Returns the result of an expression now; throws with Prometheus' words if it is wrong. */
  async query(expression: string): Promise<readonly Sample[]> {
    const answer = await fetch(`${this.#address}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: expression }),
    });
    const { data, error } = (await answer.json()) as { data?: { result: Sample[] }; error?: string };
    if (!data) throw new Error(`${expression}: ${error}`);
    return data.result;
  }

  /** Returns the names of the alerts that Prometheus has loaded. */
  async alertNames(): Promise<readonly string[]> {
    const answer = await fetch(`${this.#address}/api/v1/rules`);
    const { data } = (await answer.json()) as { data: { groups: { rules: { name: string }[] }[] } };
    return data.groups.flatMap(({ rules: all }) => all.map(({ name }) => name));
  }

  /** Returns why targets cannot be scraped, as text. */
  async scrapeErrors(): Promise<string> {
    const answer = await fetch(`${this.#address}/api/v1/targets`);
    const { data } = (await answer.json()) as {
      data: { activeTargets: { scrapeUrl: string; lastError: string }[] };
    };
    return data.activeTargets.map(({ scrapeUrl, lastError }) => `${scrapeUrl}: ${lastError}`).join('\n');
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
