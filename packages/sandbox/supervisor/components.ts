import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlRequest } from '../control.ts';
import { reconcileCustomResources } from '../custom-resources.ts';
import { ClusterClient } from '../engine.ts';
import { SandboxError } from '../errors.ts';
import { gangProgramsFor, gangSchedulerNames } from '../gang-schedulers.ts';
import { type SandboxLayout, sandboxLayout } from '../layout.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import { listSimulatedNodes, reconcileSimulatedNodes } from '../simulated-nodes.ts';
import type { ComponentState, SimulatedNodes } from '../state.ts';
import { Child } from './child.ts';
import { type Component, type ComponentName, componentNames } from './component.ts';
import type { Context, LaunchOptions } from './context.ts';
import { controlPlane } from './control-plane.ts';
import { ensureCredentials, readCertificate, writeKubeconfig } from './credentials.ts';
import { gangSchedulers } from './gang-scheduler-components.ts';
import { launchKwok, localNode, localNodeMain } from './nodes.ts';
import { launchTemporal } from './temporal.ts';

const factories: Record<ComponentName, (context: Context) => Component> = {
  temporal: launchTemporal,
  ...controlPlane,
  ...gangSchedulers,
  kwok: launchKwok,
  'local-node': localNode,
};

interface ComponentsOptions {
  readonly launch: LaunchOptions;
  readonly reaper: ProcessReaper;
  readonly onChange: () => void;
}

/** All components of one sandbox: starts and stops them in order, and handles requests. */
export class Components {
  readonly #launch: LaunchOptions;
  readonly #layout: SandboxLayout;
  readonly #options: ComponentsOptions;
  readonly #children = new Map<ComponentName, Child>();
  readonly #context: Context;
  #cluster: ClusterClient | undefined;

  constructor(options: ComponentsOptions) {
    this.#options = options;
    this.#launch = options.launch;
    this.#layout = sandboxLayout(options.launch.dir);
    const credentials = ensureCredentials(this.#layout);
    this.#context = {
      launch: this.#launch,
      layout: this.#layout,
      credentials,
      cluster: () => this.#connect(),
    };
  }

  get states(): ComponentState[] {
    return [...this.#children.values()].map((child) => child.state);
  }

  get kubernetesUrl(): string {
    return `https://127.0.0.1:${this.#launch.ports.kubernetes}`;
  }

  /** Components without dependencies start at the same time. */
  async start(): Promise<void> {
    await settled([this.#start('temporal'), this.#startCluster()]);
  }

  /** Stops clients before their servers, so that they log no errors. */
  async stop(): Promise<void> {
    const stop = (names: readonly ComponentName[]) =>
      Promise.all(names.map((name) => this.#children.get(name)?.stop()));
    await stop(['local-node', 'kwok']);
    await stop(['kube-scheduler', 'kube-controller-manager', ...gangProgramsFor(gangSchedulerNames)]);
    await stop(['kube-apiserver']);
    await stop(['temporal', 'etcd']);
    await this.#cluster?.close();
  }

  /** Returns the names of added nodes. */
  async handle(request: ControlRequest): Promise<string[]> {
    if (request.do === 'restart') {
      await this.#find(request.component).restart(request.how);
      return [];
    }
    if (request.do === 'add-local-node') {
      this.#launch.options.localNode = true;
      await this.#startLocalNode();
      return ['local'];
    }
    if (request.do === 'add-gang-schedulers') {
      Object.assign(this.#launch.options, request.options);
      Object.assign(this.#launch.programs, request.programs);
      this.#launch.customResources = request.customResources;
      await this.#startGangSchedulers();
      return [];
    }
    this.#launch.programs.kwok = request.kwok;
    this.#launch.options.simulatedNodes = request.nodes;
    return this.#startSimulatedNodes(request.nodes);
  }

  async #startCluster(): Promise<void> {
    await this.#start('etcd');
    const apiserver = this.#start('kube-apiserver');
    await settled([apiserver, this.#writeKubeconfig(apiserver)]);
    const { simulatedNodes, localNode: wantsLocalNode } = this.#launch.options;
    await settled([
      this.#start('kube-scheduler'),
      this.#start('kube-controller-manager'),
      this.#startSimulatedNodes(simulatedNodes),
      wantsLocalNode ? this.#startLocalNode() : Promise.resolve(),
      this.#startGangSchedulers(),
    ]);
  }

  /** The API server writes its certificate shortly after its start, and serves only when it is complete. */
  async #writeKubeconfig(apiserver: Promise<void>): Promise<void> {
    let over = false;
    apiserver.catch(() => {
      over = true;
    });
    while (!over && !existsSync(this.#context.credentials.certificate)) await delay(25);
    await apiserver;
    const { kubeconfig, schedulerKubeconfig, controllerManagerKubeconfig } = this.#layout;
    for (const path of [kubeconfig, schedulerKubeconfig, controllerManagerKubeconfig]) {
      writeKubeconfig(path, { url: this.kubernetesUrl, credentials: this.#context.credentials });
    }
  }

  async #startSimulatedNodes(wanted: SimulatedNodes): Promise<string[]> {
    const made = await reconcileSimulatedNodes(this.#connect(), wanted);
    if (wanted.count === 0) return [];
    const running = this.#children.get('kwok')?.state.state;
    if (running !== 'ready' && running !== 'starting') await this.#start('kwok');
    await this.#untilNodesReady();
    return made;
  }

  async #untilNodesReady(): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await listSimulatedNodes(this.#connect())).every(({ ready }) => ready)) {
      if (Date.now() > deadline) {
        throw new SandboxError(
          'simulated nodes: not Ready within 30 s',
          `read ${join(this.#layout.logs, 'kwok.log')}`,
        );
      }
      await delay(25);
    }
  }

  async #startLocalNode(): Promise<void> {
    if (this.#children.has('local-node') || !existsSync(localNodeMain)) return;
    await this.#start('local-node');
  }

  async #startGangSchedulers(): Promise<void> {
    const { options, customResources } = this.#launch;
    await reconcileCustomResources(this.#connect(), customResources);
    const missing = gangProgramsFor(options.gang).filter((name) => !this.#children.has(name));
    await settled(missing.map((name) => this.#start(name)));
  }

  async #start(name: ComponentName): Promise<void> {
    const log = join(this.#layout.logs, `${name}.log`);
    const { reaper, onChange } = this.#options;
    const { endlessRestarts: isEndless } = this.#launch.options;
    const child = new Child(factories[name](this.#context), { reaper, log, onChange, isEndless });
    this.#children.set(name, child);
    await child.start();
  }

  #find(name: ComponentName): Child {
    const child = this.#children.get(name);
    if (child !== undefined) return child;
    const running = componentNames.filter((each) => this.#children.has(each)).join(', ');
    throw new SandboxError(
      `${name}: not part of this sandbox, which has ${running}`,
      'see `signalbox sandbox up --help` for what can be added',
    );
  }

  #connect(): ClusterClient {
    if (this.#cluster === undefined) {
      const { credentials } = this.#context;
      const ca = readCertificate(credentials);
      this.#cluster = new ClusterClient({
        server: this.kubernetesUrl,
        namespace: 'default',
        tls: async () => ({ ca }),
        headers: async () => ({ authorization: `Bearer ${credentials.token}` }),
      });
    }
    return this.#cluster;
  }
}

/** Waits for all before it throws, so that nothing is still starting when the failure is handled. */
async function settled(starting: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(starting);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
