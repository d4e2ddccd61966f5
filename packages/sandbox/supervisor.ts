import { mkdirSync, rmSync } from 'node:fs';
import { identify } from './engine.ts';
import { SandboxError } from './errors.ts';
import { startGuardian } from './guardian.ts';
import { layout } from './layout.ts';
import { type State, writeState } from './state.ts';
import { type LaunchOptions, launchSchema } from './supervisor/context.ts';
import { serveControl } from './supervisor/control-server.ts';
import { Fleet } from './supervisor/fleet.ts';

/** The process behind one sandbox: `node sandbox/supervisor.ts LAUNCH-AS-JSON`, started by `up`, ended by SIGTERM. */
async function main(): Promise<void> {
  const launch = launchSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
  const paths = layout(launch.dir);
  for (const dir of [paths.logs, paths.data]) mkdirSync(dir, { recursive: true });
  const supervisor = new Supervisor(launch, await startGuardian());
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void supervisor.stop());
  process.on('SIGHUP', () => undefined); // the terminal of `up` was closed
  await supervisor.run();
}

class Supervisor {
  readonly #launch: LaunchOptions;
  readonly #guardian: Awaited<ReturnType<typeof startGuardian>>;
  readonly #fleet: Fleet;
  readonly #startedAt = new Date().toISOString();
  #phase: State['phase'] = 'starting';
  #error: State['error'];

  constructor(launch: LaunchOptions, guardian: Awaited<ReturnType<typeof startGuardian>>) {
    this.#launch = launch;
    this.#guardian = guardian;
    this.#fleet = new Fleet({ launch, guardian, onChange: () => this.#publish() });
    this.#publish();
  }

  async run(): Promise<void> {
    try {
      await this.#fleet.start();
      await serveControl(layout(this.#launch.dir).controlSocket, async (asked) => {
        const nodes = await this.#fleet.handle(asked);
        this.#publish();
        return nodes;
      });
      if (this.#phase === 'starting') this.#enter('ready');
    } catch (error) {
      if (this.#phase !== 'starting') return; // it is being stopped: what fails now fails because of that
      const remedy =
        error instanceof SandboxError ? error.remedy : `read ${layout(this.#launch.dir).supervisorLog}`;
      this.#error = { message: (error as Error).message, remedy };
      console.error(error);
      await this.stop('failed');
    }
  }

  async stop(last: 'stopped' | 'failed' = 'stopped'): Promise<void> {
    if (this.#phase === 'stopping') return;
    this.#enter('stopping');
    await this.#fleet.stop();
    rmSync(layout(this.#launch.dir).controlSocket, { force: true });
    this.#enter(last);
    this.#guardian.close();
    process.exit(last === 'failed' ? 1 : 0);
  }

  #enter(phase: State['phase']): void {
    this.#phase = phase;
    this.#publish();
  }

  /** state.json is what everybody else knows about this sandbox. */
  #publish(): void {
    const paths = layout(this.#launch.dir);
    const supervisor = identify(process.pid);
    if (supervisor === undefined || this.#fleet === undefined) return;
    const { ports, options } = this.#launch;
    const state: State = {
      version: 1,
      phase: this.#phase,
      error: this.#error,
      supervisor,
      startedAt: this.#startedAt,
      options,
      ports,
      kubeconfig: paths.kubeconfig,
      kubernetesUrl: this.#fleet.kubernetesUrl,
      temporalAddress: `127.0.0.1:${ports.temporal}`,
      temporalUiUrl: `http://127.0.0.1:${ports.temporalUi}`,
      components: this.#fleet.components,
    };
    try {
      writeState(paths.state, state);
    } catch (error) {
      console.error(error); // a full disk is no reason to take everything down
    }
  }
}

await main();
