import type { Client } from '@temporalio/client';
import { SignalboxClient } from '../../client/handles/client.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { type EnginePart, EngineProcess, type EngineSettings } from './engine-process.ts';

export interface Place extends EngineSettings {
  /** Processes of the sandbox by name. */
  readonly pids: Readonly<Record<string, number>>;
}

/** Those who ask the servers. */
export interface Clients {
  readonly jobs: SignalboxClient;
  readonly temporal: Client;
  readonly cluster: ClusterClient;
}

/** A worker and a watcher of a measurement's own, so that memory is that of its jobs. */
export class BenchEngine {
  readonly clients: Clients;
  readonly #place: Place;
  #worker: EngineProcess;
  #watcher: EngineProcess;

  static async start(place: Place): Promise<BenchEngine> {
    const worker = await EngineProcess.start('worker', place);
    try {
      const watcher = await EngineProcess.start('watcher', place);
      return new BenchEngine(place, { worker, watcher, clients: await connect(place) });
    } catch (error) {
      await worker.stop();
      throw error;
    }
  }

  private constructor(
    place: Place,
    parts: { readonly worker: EngineProcess; readonly watcher: EngineProcess; readonly clients: Clients },
  ) {
    this.#place = place;
    this.#worker = parts.worker;
    this.#watcher = parts.watcher;
    this.clients = parts.clients;
  }

  get watcher(): EngineProcess {
    return this.#watcher;
  }

  /** Of all processes by name: the sandbox's, the engine's and this one. */
  get pids(): Readonly<Record<string, number>> {
    const { pid: worker } = this.#worker;
    return { ...this.#place.pids, worker, watcher: this.#watcher.pid, bench: process.pid };
  }

  /** Like a crash of its node: without any clean-up. */
  async kill(): Promise<void> {
    await Promise.all([this.#worker.kill(), this.#watcher.kill()]);
  }

  /** Starts both processes after `kill`, side by side. Gives when each was ready, by `performance.now()`. */
  async startAgain(): Promise<{ readonly worker: number; readonly watcher: number }> {
    const timed = async (part: EnginePart) => {
      const process = await EngineProcess.start(part, this.#place);
      return { process, at: performance.now() };
    };
    const [worker, watcher] = await Promise.all([timed('worker'), timed('watcher')]);
    this.#worker = worker.process;
    this.#watcher = watcher.process;
    return { worker: worker.at, watcher: watcher.at };
  }

  async close(): Promise<void> {
    await Promise.all([this.#worker.stop(), this.#watcher.stop()]);
    const { jobs, temporal, cluster } = this.clients;
    await Promise.all([jobs.close(), temporal.connection.close(), cluster.close()]);
  }
}

async function connect({ temporalAddress: address, kubeconfig }: Place): Promise<Clients> {
  const settings = { address, namespace: 'default' };
  return {
    jobs: await SignalboxClient.connect({ temporal: settings }),
    temporal: await connectTemporal(settings),
    cluster: await ClusterClient.connect({ kubeconfig }),
  };
}
