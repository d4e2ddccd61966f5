import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ClusterClient, errorMessage, PODS, reflect, SERVICES } from '../engine.ts';
import { startProcessReaper } from '../process-reaper.ts';
import { Addresses } from './addresses.ts';
import { Devices } from './devices.ts';
import { createEventRecorder } from './events.ts';
import { findGpus, type Gpus } from './find-gpus.ts';
import { Heartbeat } from './heartbeat.ts';
import { HostsFiles } from './hosts-files.ts';
import { startLogServer } from './log-server.ts';
import { findMountNamespace } from './namespaces/mount-namespace.ts';
import { findPidNamespace } from './namespaces/pid-namespace.ts';
import type { NodeContext } from './node-context.ts';
import { nodeObject } from './node-object.ts';
import type { NodeOptions } from './options.ts';
import { Pods } from './pods.ts';
import { StoredObjects } from './stored-objects.ts';

interface LocalNode {
  /**
   * Ends the pods' processes and marks the node as not ready. The pods' objects stay, so a restarted node continues.
   */
  stop(): Promise<void>;
}

const HOST_IP = '127.0.0.1';
const STOP_GRACE_MS = 3_000;

/** Joins the cluster as a node and runs the pods that are bound to it until it stops. */
export async function startLocalNode(options: NodeOptions, log: Logger): Promise<LocalNode> {
  const client = await ClusterClient.connect({ kubeconfig: options.kubeconfig });
  const reaper = await startProcessReaper();
  const pods: Pods = new Pods(() => context);
  const hostsFiles: HostsFiles = new HostsFiles(() => pods.endpoints());
  const recordEvent = createEventRecorder(client, options.nodeName);
  const namespaces = await namespacesOf(options);
  const gpus = options.gpus === undefined ? await findGpus() : [];
  const capacity = capacityOf(options, gpus);
  const podsDir = join(options.dir, 'pods');
  mkdirSync(podsDir, { recursive: true });
  const context: NodeContext = {
    ...{ client, reaper, log, recordEvent, hostsFiles, podsDir, ...namespaces },
    storedObjects: new StoredObjects(client),
    addresses: new Addresses(options.podNetwork),
    devices: new Devices(gpus),
    allocatable: capacity,
    hostIP: HOST_IP,
    workdir: options.workdir,
  };
  const logs = await serveLogs(options, pods, log);
  const facts = {
    ...{ name: options.nodeName, hostname: hostname(), kernel: release(), address: HOST_IP },
    ...{ labels: options.label, capacity, logPort: logs?.port },
  };
  const heartbeat = new Heartbeat(client, facts, log);
  await heartbeat.start();
  if (namespaces.refusal) {
    log.error(namespaces.refusal);
    recordEvent(nodeObject(facts), { type: 'Warning', reason: 'PrivateHosts', message: namespaces.refusal });
  }
  const following = new AbortController();
  const selection = { fieldSelector: `spec.nodeName=${options.nodeName}` };
  const reflectors = Promise.all([
    reflect(client, { resource: SERVICES }, hostsFiles, following.signal),
    reflect(client, { resource: PODS, selection }, pods, following.signal),
  ]);
  log.info({ node: options.nodeName, logPort: logs?.port, network: options.podNetwork }, 'ready');
  return {
    async stop() {
      following.abort();
      await Promise.all([pods.halt(STOP_GRACE_MS), reflectors]);
      hostsFiles.close();
      logs?.close();
      await heartbeat.stop();
      reaper.close();
      await client.close();
    },
  };
}

/** Without mount namespaces the node refuses pods, unless it was started with `--names none`. */
async function namespacesOf({
  names,
}: NodeOptions): Promise<Pick<NodeContext, 'mountNamespace' | 'pidNamespace' | 'resolvesNames' | 'refusal'>> {
  const mountNamespace = await findMountNamespace();
  let found: ReturnType<typeof findPidNamespace> | undefined;
  const pidNamespace = () => {
    found ??= findPidNamespace();
    return found;
  };
  if (typeof mountNamespace === 'function' || names === 'none') {
    return { mountNamespace, pidNamespace, resolvesNames: names !== 'none' };
  }
  const refusal = `pods cannot have names and volumes: ${mountNamespace.why}; start the local node with --names none to run pods without them`;
  return { mountNamespace, pidNamespace, resolvesNames: true, refusal };
}

function capacityOf(
  { cpus, memory, pods, gpus: pretended = 0, resource }: NodeOptions,
  gpus: readonly Gpus[],
): Record<string, string> {
  return {
    cpu: String(cpus),
    memory,
    pods: String(pods),
    'ephemeral-storage': '100Gi',
    'nvidia.com/gpu': String(pretended),
    ...Object.fromEntries(gpus.map((kind) => [kind.resource, String(kind.ids.length)])),
    ...resource,
  };
}

/** Without a certificate pods still run, but the API server cannot read their logs. */
async function serveLogs(options: NodeOptions, pods: Pods, log: Logger) {
  const { tlsCertFile, tlsKeyFile, clientCaFile } = options;
  try {
    const [cert, key, ca] = await Promise.all([
      readFile(tlsCertFile),
      readFile(tlsKeyFile),
      clientCaFile ? readFile(clientCaFile) : undefined,
    ]);
    return await startLogServer({ cert, key, ca }, pods.findLog, options.logPort);
  } catch (error) {
    log.error(`logs cannot be served: expected --tls-cert-file and --tls-key-file, ${errorMessage(error)}`);
    return undefined;
  }
}
