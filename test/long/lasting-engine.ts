import { setTimeout as delay } from 'node:timers/promises';
import type { Sandbox } from '@signalbox/sandbox';
import { Engine, type EngineCommand, type EngineOptions } from '../../demo/engine.ts';

/** Two processors may have a dozen servers and tests to run. */
const READY_WITHIN_MS = 240_000;
const POLL_MS = 250;
const PAUSE_MS = 1_000;

/** A process of signalbox that is started again whenever it ends, as a cluster does it. */
export class LastingEngine {
  readonly #engine: Engine;
  readonly #settings: NodeJS.ProcessEnv;
  readonly #closing = new AbortController();
  #isWanted = false;
  #starting: Promise<void> | undefined;
  #ownEnds = 0;

  constructor(
    command: EngineCommand,
    sandbox: Pick<Sandbox, 'dir' | 'kubeconfig' | 'temporalAddress'>,
    options: EngineOptions & { readonly settings: NodeJS.ProcessEnv },
  ) {
    const { settings, ...rest } = options;
    this.#engine = new Engine(command, sandbox, { ...rest, readyWithinMs: READY_WITHIN_MS });
    this.#settings = settings;
    void this.#keepUp();
  }

  get pid(): number | undefined {
    return this.#engine.pid;
  }

  /** How often it ended without having been told to, or was not ready in time. */
  get ownEnds(): number {
    return this.#ownEnds;
  }

  /** Resolves when it is ready, however often it has to be started for that. */
  async start(): Promise<void> {
    this.#isWanted = true;
    await this.#started();
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    await this.#engine.kill();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#closing.abort();
    await this.#engine.stop();
  }

  async #keepUp(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await delay(POLL_MS);
      if (!this.#isWanted || this.#starting || this.#engine.isRunning) continue;
      this.#ownEnds++;
      await this.#started();
    }
  }

  #started(): Promise<void> {
    this.#starting ??= this.#startUntilReady().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startUntilReady(): Promise<void> {
    while (this.#isWanted && !this.#engine.isRunning) {
      const isReady = await this.#engine.start(this.#settings).then(
        () => true,
        () => false,
      );
      // One that was killed meanwhile ended because of that.
      if (isReady || !this.#isWanted) return;
      this.#ownEnds++;
      await this.#engine.kill();
      await delay(PAUSE_MS);
    }
  }
}
