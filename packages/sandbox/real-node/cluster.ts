import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { ClusterClient, type ProcessIdentity } from '../engine.ts';
import { sandboxLayout } from '../layout.ts';
import { signalGroup } from '../process-identity.ts';
import { type ProcessReaper, startProcessReaper } from '../process-reaper.ts';
import { ensurePrograms } from '../programs/ensure-programs.ts';
import { type ProgressReport, silent } from '../report.ts';
import { ensureSandbox, type Sandbox } from '../sandbox.ts';
import type { NodeTimes } from '../state.ts';
import { kubeletClientFiles } from '../supervisor/kubelet-client.ts';
import { startInBackground } from './background.ts';
import { corefile } from './configuration.ts';
import { forwardPort } from './forward-port.ts';
import { makeOwnFolders, removeCluster } from './leftovers.ts';
import { findInit } from './namespaces.ts';
import { chooseNetwork, createBridge, hostAddress } from './network.ts';
import { importImage, powerOff, startNode } from './node.ts';
import { clusterPaths } from './paths.ts';
import { type ClusterRecord, type NodeRecord, readRecord, writeRecord } from './record.ts';
import { cniFolder, findProgram } from './requirements.ts';

interface RealClusterOptions {
  /** Contains all files of the cluster. */
  readonly dir: string;
  readonly nodes: readonly string[];
  /** Default `quick`. */
  readonly times?: NodeTimes;
  readonly report?: ProgressReport;
}

interface Parts {
  readonly dir: string;
  readonly record: ClusterRecord;
  readonly reaper: ProcessReaper;
  readonly sandbox: Sandbox;
  readonly client: ClusterClient;
}

/**
 * A sandbox with real nodes: kubelet, containerd, runc and CNI, each node in its own namespaces, and CoreDNS. There is
 * no registry; its images are the archives in its folder `images`.
 */
export class RealCluster {
  readonly sandbox: Sandbox;
  readonly client: ClusterClient;
  readonly #dir: string;
  readonly #record: ClusterRecord;
  readonly #reaper: ProcessReaper;
  readonly #forwards: Server[] = [];

  private constructor({ dir, record, reaper, sandbox, client }: Parts) {
    this.#dir = dir;
    this.#record = record;
    this.#reaper = reaper;
    this.sandbox = sandbox;
    this.client = client;
  }

  /** Removes what an earlier run left in this folder, and starts a cluster. */
  static async start({
    dir,
    nodes,
    times = 'quick',
    report = silent,
  }: RealClusterOptions): Promise<RealCluster> {
    await removeCluster(dir);
    mkdirSync(clusterPaths(dir).logs, { recursive: true });
    const network = await chooseNetwork();
    const cgroup = `/signalbox-${network.bridge}`;
    const numbered = nodes.map((name, at) => [name, { index: at + 1 }] as const);
    const madeFolders = makeOwnFolders();
    const record = { network, cgroup, madeFolders, programs: {}, times, nodes: Object.fromEntries(numbered) };
    writeRecord(dir, record);
    await createBridge(network);
    const planned = { ...CONTROL_PLANE, nodeTimes: times, dir: clusterPaths(dir).sandbox, report };
    const sandbox = await ensureSandbox(planned);
    const cluster = new RealCluster({ dir, record, ...(await connect(sandbox)) });
    report.step(`starting ${nodes.join(', ')}`);
    await cluster.#forwardPorts();
    await Promise.all([cluster.#startNameServer(), ...nodes.map((name) => cluster.startNode(name))]);
    return cluster;
  }

  /** Finds the cluster that another process started in this folder. Programs that this process starts end with it. */
  static async find(dir: string): Promise<RealCluster> {
    const record = readRecord(dir);
    if (record === undefined) throw new Error(`${dir}: no cluster was started here`);
    const sandbox = await ensureSandbox({ dir: clusterPaths(dir).sandbox });
    return new RealCluster({ dir, record, ...(await connect(sandbox)) });
  }

  /** The address of this machine for pods. */
  get address(): string {
    return hostAddress(this.#record.network);
  }

  async startNode(name: string): Promise<void> {
    const { kubelet } = await ensurePrograms({ names: ['kubelet'], kubernetes: this.sandbox.kubernetes });
    const { images, logs } = clusterPaths(this.#dir);
    await startNode({
      name,
      ...this.#configurationOf(name),
      kubeletProgram: kubelet,
      kubeletKubeconfig: this.#writeKubeletKubeconfig(),
      apiPort: this.#apiPort,
      client: this.client,
      logs,
      images: archivesIn(images),
      reaper: this.#reaper,
      onChange: (record) => this.#keep(name, record),
    });
  }

  /** Imports another image to this node. */
  async importImage(name: string, archive: string): Promise<void> {
    const init = findInit(this.#nodeOf(name).holder!.pid);
    await importImage(init!, archive);
  }

  /** Kills the node like a power failure: its pods die, its disk is wiped, and Kubernetes gets no message. */
  async powerOff(name: string): Promise<void> {
    await powerOff(this.#nodeOf(name), this.#configurationOf(name));
    this.#keep(name, { index: this.#nodeOf(name).index });
  }

  /** Stops the kubelet; the pods keep running. */
  freezeKubelet(name: string): void {
    signalGroup(this.#kubeletOf(name), 'SIGSTOP');
  }

  thawKubelet(name: string): void {
    signalGroup(this.#kubeletOf(name), 'SIGCONT');
  }

  /** Closes the connection; the cluster keeps running. */
  async close(): Promise<void> {
    await this.client.close();
    this.#reaper.close();
  }

  /** Removes the cluster from the machine; keeps only logs. */
  async stop(): Promise<void> {
    for (const gate of this.#forwards) gate.close();
    await this.client.close();
    await removeCluster(this.#dir);
    this.#reaper.close();
  }

  async #forwardPorts(): Promise<void> {
    const ports = [this.#apiPort, Number(this.sandbox.temporalAddress.split(':')[1])];
    for (const port of ports) this.#forwards.push(await forwardPort(this.address, port));
  }

  async #startNameServer(): Promise<void> {
    const { coredns } = await ensurePrograms({ names: ['coredns'] });
    const { network } = this.#record;
    const { corefile: path, logs } = clusterPaths(this.#dir);
    writeFileSync(path, corefile({ network, kubeconfig: this.sandbox.kubeconfig }));
    this.#record.programs.coredns = await startInBackground({
      name: 'coredns',
      command: [coredns, '-conf', path],
      log: join(logs, 'coredns.log'),
      reaper: this.#reaper,
      isReady: async () => (await fetch(`http://${this.address}:18080/health`)).ok,
      readyWithinMs: 60_000,
    });
    writeRecord(this.#dir, this.#record);
  }

  get #apiPort(): number {
    return Number(new URL(this.sandbox.kubernetesUrl).port);
  }

  #configurationOf(name: string) {
    const { network, cgroup, times } = this.#record;
    return {
      network,
      times,
      index: this.#nodeOf(name).index,
      dir: join(clusterPaths(this.#dir).nodes, name),
      cgroup: `${cgroup}/${name}`,
      cniFolder: cniFolder()!,
      runc: findProgram('runc')!,
      clientAuthority: kubeletClientFiles(sandboxLayout(this.sandbox.dir)).certificate,
    };
  }

  #nodeOf(name: string): NodeRecord {
    const found = this.#record.nodes[name];
    if (found !== undefined) return found;
    throw new Error(`${name}: no such node; there are ${Object.keys(this.#record.nodes).join(', ')}`);
  }

  #kubeletOf(name: string): ProcessIdentity {
    const { kubelet } = this.#nodeOf(name);
    if (kubelet !== undefined) return kubelet;
    throw new Error(`${name}: its kubelet does not run`);
  }

  #keep(name: string, node: NodeRecord): void {
    this.#record.nodes[name] = { ...node };
    writeRecord(this.#dir, this.#record);
  }

  /** The API server's certificate lacks the address that nodes use, so they need another server name. */
  #writeKubeletKubeconfig(): string {
    const path = join(this.#dir, 'kubelet.kubeconfig');
    const config = JSON.parse(readFileSync(this.sandbox.kubeconfig, 'utf8'));
    Object.assign(config.clusters[0].cluster, {
      server: `https://${this.address}:${this.#apiPort}`,
      'tls-server-name': 'kubernetes.default.svc',
    });
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }
}

const CONTROL_PLANE = {
  durable: false,
  localNode: false,
  realNodes: true,
  simulatedNodes: 0,
  gang: [],
} as const;

async function connect(sandbox: Sandbox) {
  return {
    sandbox,
    reaper: await startProcessReaper(),
    client: await ClusterClient.connect({ kubeconfig: sandbox.kubeconfig }),
  };
}

const archivesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.tar'))
    .map((file) => join(folder, file));
