import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterClient, NODES } from '../engine.ts';
import { isNodeSchedulable } from '../node-readiness.ts';
import { signalGroup } from '../process-identity.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import { startInBackground } from './background.ts';
import { makeCgroup, removeCgroup } from './cgroups.ts';
import { run } from './command.ts';
import {
  cniConfiguration,
  containerdConfiguration,
  kubeletConfiguration,
  type NodeConfiguration,
} from './configuration.ts';
import { findInit, inside, namespacesCommand, untilGone } from './namespaces.ts';
import { connectNode, nodeAddress } from './network.ts';
import type { NodeRecord } from './record.ts';

interface NodeSettings extends NodeConfiguration {
  readonly name: string;
  readonly kubeletProgram: string;
  readonly kubeletKubeconfig: string;
  readonly apiPort: number;
  readonly client: ClusterClient;
  readonly logs: string;
  /** Archives of images that its pods may use. */
  readonly images: readonly string[];
  readonly reaper: ProcessReaper;
  /** Called after each step with the record to save. */
  onChange(record: NodeRecord): void;
}

/** Starts containerd and a kubelet in new namespaces; resolves when the node is Ready. */
export async function startNode(settings: NodeSettings): Promise<void> {
  const { name, index, dir, network, apiPort, cgroup, onChange } = settings;
  const record: NodeRecord = { index };
  makeCgroup(cgroup);
  writeConfiguration(settings);
  let init = 0;
  record.holder = await start(settings, `${name}`, namespacesCommand(dir), (pid) => {
    init = findInit(pid) ?? 0;
    return init > 0;
  });
  onChange(record);
  await connectNode(network, { index, init, apiPort });
  const containerd = inside(init, 'containerd', '--config', join(dir, 'containerd.toml'));
  record.containerd = await start(settings, `${name}-containerd`, containerd, () =>
    succeeds(ctr(init, 'version')),
  );
  onChange(record);
  for (const image of settings.images) await importImage(init, image);
  record.kubelet = await start(settings, `${name}-kubelet`, kubelet(settings, init), () => isReady(settings));
  onChange(record);
}

/** Imports an image archive to the node. */
export async function importImage(init: number, archive: string): Promise<void> {
  const [program, ...args] = ctr(init, 'images', 'import', '--digests=false', archive);
  await run(program, args);
}

const ctr = (init: number, ...args: string[]) => inside(init, 'ctr', '--namespace', 'k8s.io', ...args);

/** Kills all programs of the node at once and wipes its disk. */
export async function powerOff(
  { holder }: NodeRecord,
  { dir, cgroup }: { dir: string; cgroup: string },
): Promise<void> {
  if (holder !== undefined && signalGroup(holder, 'SIGKILL')) await untilGone(holder.pid);
  await removeCgroup(cgroup);
  rmSync(dir, { recursive: true, force: true });
}

function writeConfiguration(settings: NodeSettings): void {
  const { dir } = settings;
  mkdirSync(join(dir, 'cni'), { recursive: true });
  const write = (path: string, content: string) => writeFileSync(join(dir, path), content);
  write('containerd.toml', containerdConfiguration(settings));
  write('cni/pods.conflist', JSON.stringify(cniConfiguration(settings)));
  write('kubelet.json', JSON.stringify(kubeletConfiguration(settings)));
}

const start = (
  { logs, reaper }: NodeSettings,
  name: string,
  command: [string, ...string[]],
  isReady: (pid: number) => Promise<boolean> | boolean,
) =>
  startInBackground({
    name,
    command,
    log: join(logs, `${name}.log`),
    reaper,
    isReady,
    readyWithinMs: 90_000,
  });

function kubelet(
  { name, dir, network, index, kubeletProgram, kubeletKubeconfig }: NodeSettings,
  init: number,
) {
  return inside(
    init,
    kubeletProgram,
    `--config=${join(dir, 'kubelet.json')}`,
    `--kubeconfig=${kubeletKubeconfig}`,
    `--root-dir=${join(dir, 'kubelet')}`,
    `--cert-dir=${join(dir, 'kubelet-certificates')}`,
    `--hostname-override=${name}`,
    `--node-ip=${nodeAddress(network, index)}`,
    `--node-labels=signalbox.dev/node=real`,
  );
}

async function isReady({ client, name }: NodeSettings): Promise<boolean> {
  return isNodeSchedulable(await client.get(NODES, undefined, name));
}

async function succeeds([program, ...args]: [string, ...string[]]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
