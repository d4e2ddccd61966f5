import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePrograms, isNodeSchedulable, SandboxError } from '@signalbox/sandbox';
import { clusterPaths, missingRequirements, RealCluster, removeCluster } from '@signalbox/sandbox/real-node';
import { createProgress } from '../../../cli/print/progress.ts';
import { NODES } from '../../../contracts/kubernetes.ts';
import { acquireLock } from '../../../runtime/lock.mjs';
import { eventually } from '../../eventually.ts';
import { NODE_PROGRAMS } from '../../node/nodes.ts';
import { inThrowawaySandbox, removing, type ThrowawaySandbox } from '../throwaway-sandbox.ts';
import { makeDrillImages } from './drill-images.ts';

/** Where the pods of a drill run. */
export interface DrillPlace {
  readonly sandbox: ThrowawaySandbox;
  /** Takes the power from a node: its programs are gone, and nobody is told. Returns what brings the node back. */
  readonly powerOff?: (node: string) => Promise<() => Promise<void>>;
}

interface DrillNodes {
  readonly what: string;
  run<T>(work: (place: DrillPlace) => Promise<T>): Promise<T>;
}

export const DRILL_NODES = {
  local: {
    what: 'one local node, whose pods are processes of this machine',
    run: (work) => inThrowawaySandbox('local', (sandbox) => work({ sandbox })),
  },
  real: {
    what: 'two nodes with a kubelet and containerd each, and the time constants that Kubernetes is shipped with',
    run: onRealNodes,
  },
} satisfies Readonly<Record<string, DrillNodes>>;
export type DrillNodesName = keyof typeof DRILL_NODES;

const FOLDER = fileURLToPath(new URL('../../../.signalbox/drill-nodes', import.meta.url));
const NAMES = ['node-1', 'node-2'] as const;

async function onRealNodes<T>(work: (place: DrillPlace) => Promise<T>): Promise<T> {
  const missing = missingRequirements();
  if (missing.length > 0) throw new SandboxError('real nodes cannot run here', missing.join('\n'));
  mkdirSync(FOLDER, { recursive: true });
  const release = await acquireLock(join(FOLDER, 'lock'), (holder) =>
    process.stderr.write(`another drill (pid ${holder}) uses ${FOLDER}: waiting for it\n`),
  );
  const remove = async () => {
    await removeCluster(FOLDER);
    await release();
  };
  return removing(remove, async () => {
    const cluster = await startCluster();
    try {
      return await work(placeOf(cluster));
    } finally {
      await cluster.stop();
    }
  });
}

async function startCluster(): Promise<RealCluster> {
  const report = createProgress(process.stderr);
  try {
    await ensurePrograms({ names: NODE_PROGRAMS, report });
    await removeCluster(FOLDER);
    // An earlier drill's logs, and the certificates of its webhooks.
    rmSync(clusterPaths(FOLDER).sandbox, { recursive: true, force: true });
    report.step('making images');
    await makeDrillImages(FOLDER);
    return await RealCluster.start({ dir: FOLDER, nodes: NAMES, times: 'shipped', report });
  } finally {
    report.end();
  }
}

function placeOf(cluster: RealCluster): DrillPlace {
  const { dir, kubeconfig, temporalAddress } = cluster.sandbox;
  const sandbox = { dir, kubeconfig, temporalAddress, nodes: NAMES.length, pids: {}, remove: async () => {} };
  const isReady = async (node: string) => isNodeSchedulable(await cluster.client.get(NODES, undefined, node));
  const powerOff = async (node: string) => {
    await cluster.powerOff(node);
    return async () => {
      await cluster.startNode(node);
      await eventually(`${node} takes pods again`, () => isReady(node));
    };
  };
  return { sandbox, powerOff };
}
