import { mkdirSync, rmSync } from 'node:fs';
import { errorMessage, identify } from '../engine.ts';
import { SandboxError } from '../errors.ts';
import { sandboxLayout } from '../layout.ts';
import { startProcessReaper } from '../process-reaper.ts';
import { type SandboxState, writeState } from '../state.ts';
import { Components } from './components.ts';
import { type LaunchOptions, launchSchema } from './context.ts';
import { serveControl } from './control-server.ts';

/** The process behind one sandbox: `node supervisor/main.ts LAUNCH-AS-JSON`, started by `up`, ended by SIGTERM. */
async function main(): Promise<void> {
  const launch = launchSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
  const paths = sandboxLayout(launch.dir);
  for (const dir of [paths.logs, paths.data]) mkdirSync(dir, { recursive: true });
  const supervisor = new Supervisor(launch, await startProcessReaper());
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void supervisor.stop());
  process.on('SIGHUP', () => undefined); // the terminal of `up` was closed
  await supervisor.run();
}

class Supervisor {
  readonly #launch: LaunchOptions;
  readonly #reaper: Awaited<ReturnType<typeof startProcessReaper>>;
  readonly #components: Components;
  readonly #startedAt = new Date().toISOString();
  #phase: SandboxState['phase'] = 'starting';
  #error: SandboxState['error'];

  constructor(launch: LaunchOptions, reaper: Awaited<ReturnType<typeof startProcessReaper>>) {
    this.#launch = launch;
    this.#reaper = reaper;
    this.#components = new Components({ launch, reaper, onChange: () => this.#publish() });
    this.#publish();
  }

  async run(): Promise<void> {
    try {
      await this.#components.start();
      await serveControl(sandboxLayout(this.#launch.dir).controlSocket, async (request) => {
        const nodes = await this.#components.handle(request);
        this.#publish();
        return nodes;
      });
      if (this.#phase === 'starting') this.#enter('ready');
    } catch (error) {
      if (this.#phase !== 'starting') return; // it is being stopped, which causes failures
      const remedy =
        error instanceof SandboxError
          ? error.remedy
          : `read ${sandboxLayout(this.#launch.dir).supervisorLog}`;
      this.#error = { message: errorMessage(error), remedy };
      console.error(error);
      await this.stop('failed');
    }
  }

  async stop(last: 'stopped' | 'failed' = 'stopped'): Promise<void> {
    if (this.#phase === 'stopping') return;
    this.#enter('stopping');
    await this.#components.stop();
    rmSync(sandboxLayout(this.#launch.dir).controlSocket, { force: true });
    this.#enter(last);
    this.#reaper.close();
    process.exit(last === 'failed' ? 1 : 0);
  }

  #enter(phase: SandboxState['phase']): void {
    this.#phase = phase;
    this.#publish();
  }

  /** state.json is how other processes learn about this sandbox. */
  #publish(): void {
    const paths = sandboxLayout(this.#launch.dir);
    const supervisor = identify(process.pid);
    if (supervisor === undefined || this.#components === undefined) return;
    const { ports, options } = this.#launch;
    const state: SandboxState = {
      version: 1,
      phase: this.#phase,
      error: this.#error,
      supervisor,
      startedAt: this.#startedAt,
      options,
      ports,
      kubeconfig: paths.kubeconfig,
      kubernetesUrl: this.#components.kubernetesUrl,
      temporalAddress: `127.0.0.1:${ports.temporal}`,
      temporalUiUrl: `http://127.0.0.1:${ports.temporalUi}`,
      components: this.#components.states,
    };
    try {
      writeState(paths.state, state);
    } catch (error) {
      console.error(error); // a full disk must not stop the sandbox
    }
  }
}

await main();
