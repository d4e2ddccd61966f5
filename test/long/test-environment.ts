import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '@signalbox/sandbox';
import { sandboxLayout } from '@signalbox/sandbox';
import type { EngineCommand } from '../../demo/engine.ts';
import { kubeconfigOf } from '../deploy/proxied-kubeconfig.ts';
import type { Chance } from '../scenarios/chance.ts';
import { applyDefinitions, openKubectl } from '../scenarios/kubectl.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { withClockAhead } from '../skewed-clock.ts';
import { ENGINE_NAMESPACE, makeAccounts, tokenOf } from './accounts.ts';
import { FaultyApi } from './faulty-api.ts';
import { LastingEngine } from './lasting-engine.ts';
import { type Neighbours, openNeighbours } from './neighbours.ts';
import type { Proxies } from './network.ts';
import { openLongSandbox } from './sandbox.ts';
import { restartServer } from './servers.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Servers, and an engine of two workers, two watchers and two bridges. Proxies stand between all of them, but not before etcd. */
export interface TestEnvironment {
  readonly stage: Stage;
  /** What stands before the API server, for each kind of process. */
  readonly apis: Readonly<Record<Part, FaultyApi>>;
  readonly network: Proxies;
  readonly engines: Readonly<Record<string, LastingEngine>>;
  readonly neighbours: Neighbours;
  close(): Promise<void>;
}

type Part = Exclude<EngineCommand, 'up' | 'notifier'>;

const ENGINES = {
  'worker-1': 'worker',
  'worker-2': 'worker',
  'watcher-1': 'watcher',
  'watcher-2': 'watcher',
  'bridge-1': 'bridge',
  'bridge-2': 'bridge',
} as const satisfies Readonly<Record<string, Part>>;

/** How much the clock of a process is ahead, in milliseconds. */
const CLOCKS: Readonly<Record<string, number>> = {
  'watcher-1': -40_000,
  'watcher-2': 25_000,
  'worker-2': 60_000,
};

const SETTINGS = {
  SIGNALBOX_LEASE_NAMESPACE: ENGINE_NAMESPACE,
  // Two processors may have so much to do that who leads says so only every few seconds.
  SIGNALBOX_LEASE_DURATION: '10',
};

export async function openTestEnvironment(
  chance: Chance,
  injected: (fault: string) => void,
): Promise<TestEnvironment> {
  const sandbox = await openLongSandbox();
  const stage = await openStage({ localNode: false, sandbox });
  await makeAccounts(stage.cluster);
  await applyDefinitions(await openKubectl(stage));
  const ca = await certificateOf(sandbox);
  const openApi = (part: Part) =>
    FaultyApi.open({ server: sandbox.kubernetesUrl, ca, chance: chance.fork(`api of ${part}`), injected });
  const apis = {
    worker: await openApi('worker'),
    watcher: await openApi('watcher'),
    bridge: await openApi('bridge'),
  };
  const tokens = {
    worker: await tokenOf(stage.cluster, 'worker'),
    watcher: await tokenOf(stage.cluster, 'watcher'),
    bridge: await tokenOf(stage.cluster, 'bridge'),
  };
  const network: Record<string, TcpProxy> = await divertControlPlane(sandbox);
  const engines: Record<string, LastingEngine> = {};
  for (const [name, command] of Object.entries(ENGINES)) {
    const toTemporal = await TcpProxy.open(Number(sandbox.temporalAddress.split(':')[1]));
    const toApi = await TcpProxy.open(apis[command].port);
    network[`${name} to Temporal`] = toTemporal;
    network[`${name} to the API server`] = toApi;
    const kubeconfig = join(sandbox.dir, `${name}.kubeconfig`);
    const server = `http://127.0.0.1:${toApi.port}`;
    await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(server, tokens[command])), { mode: 0o600 });
    engines[name] = new LastingEngine(
      command,
      { dir: sandbox.dir, kubeconfig, temporalAddress: `127.0.0.1:${toTemporal.port}` },
      {
        logFile: join(sandbox.dir, 'engines', `${name}.log`),
        settings: { ...SETTINGS, ...withClockAhead(CLOCKS[name] ?? 0) },
      },
    );
  }
  await Promise.all(Object.values(engines).map((engine) => engine.start()));
  const neighbours = await openNeighbours(stage);
  return {
    stage,
    apis,
    network,
    engines,
    neighbours,
    close: async () => {
      await neighbours.close();
      await Promise.all(Object.values(engines).map((engine) => engine.stop()));
      await Promise.all(Object.values(network).map((proxy) => proxy.close()));
      await Promise.all(Object.values(apis).map((api) => api.close()));
      await stage.close();
    },
  };
}

/** The components of Kubernetes that work through its API server reach it through proxies as well. */
async function divertControlPlane({ dir, kubernetesUrl }: Sandbox): Promise<Record<string, TcpProxy>> {
  const { schedulerKubeconfig, controllerManagerKubeconfig } = sandboxLayout(dir);
  const network: Record<string, TcpProxy> = {};
  for (const [name, path] of [
    ['kube-scheduler', schedulerKubeconfig],
    ['kube-controller-manager', controllerManagerKubeconfig],
  ] as const) {
    const proxy = await TcpProxy.open(Number(new URL(kubernetesUrl).port));
    const config = JSON.parse(await readFile(path, 'utf8'));
    config.clusters[0].cluster.server = `https://127.0.0.1:${proxy.port}`;
    await writeFile(path, JSON.stringify(config));
    await restartServer(dir, name);
    network[`${name} to the API server`] = proxy;
  }
  return network;
}

async function certificateOf({ kubeconfig }: Sandbox): Promise<string> {
  const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  return Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
}
