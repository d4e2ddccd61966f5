import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../../cluster/client.ts';
import { PODS, RESOURCE_QUOTAS } from '../../../contracts/kubernetes.ts';
import { eviction } from '../../scenarios/disruptions.ts';
import { setGpuMemWatch } from '../../scenarios/failing-nodes.ts';
import { NAMESPACE } from '../workload.ts';
import type { DrillNodesName, DrillPlace } from './drill-nodes.ts';
import type { PartName, RunningSystem } from './running-system.ts';

/** A healthy job, and who is to be hit. */
export interface Scene extends Pick<DrillPlace, 'powerOff'> {
  readonly cluster: ClusterClient;
  readonly system: RunningSystem;
  /** Processes of the ranks, by rank. */
  readonly pids: readonly number[];
  /** Their pods. */
  readonly pods: readonly string[];
  /** A rank. */
  readonly victim: number;
}

export interface Fault {
  readonly what: string;
  /** Resolves when the fault is there; what was killed beside it may still come back. Returns what is to be undone later. */
  inject(scene: Scene): Promise<void | (() => Promise<void>)>;
  /** What a system must have for it. */
  readonly needs?: PartName;
  /** Where alone it can be shown; by default everywhere. */
  readonly onlyOn?: DrillNodesName;
  /** Which pods it deletes itself. */
  readonly deletes?: 'victim' | 'all';
}

const evict = ({ cluster }: Scene, pod: string) => eviction({ cluster, namespace: NAMESPACE }, pod);

const crash = ({ pids, victim }: Scene) => void process.kill(pids[victim]!, 'SIGUSR1');

/** The victim crashes while a part of the system is away. */
const crashWithout = (part: PartName, what: string): Fault => ({
  what: `one rank ends with exit code 1 while ${what} is killed; it starts again at once`,
  needs: part,
  inject: async (scene) => {
    const back = scene.system.parts[part]!();
    crash(scene);
    await back;
  },
});

/** For how long a quota forbids new pods. */
const NO_QUOTA_MS = 20_000;
const NO_PODS = {
  ...{ apiVersion: 'v1', kind: 'ResourceQuota' },
  metadata: { namespace: NAMESPACE, name: 'no-pods' },
  spec: { hard: { pods: '0' } },
};

/** A further kind of fault is a row. */
export const FAULTS = {
  crash: { what: 'one rank ends with exit code 1', inject: async (scene) => crash(scene) },
  'out-of-memory': {
    what: 'one rank is killed (137), as the kernel does; this node does not say OOMKilled',
    inject: async ({ pids, victim }) => void process.kill(pids[victim]!, 'SIGKILL'),
  },
  hang: {
    what: 'one rank is stopped (SIGSTOP): it neither trains nor ends',
    inject: async ({ pids, victim }) => void process.kill(pids[victim]!, 'SIGSTOP'),
  },
  'hang-all': {
    what: 'all ranks wait in a collective that never ends, until it times out',
    inject: async ({ pids }) => {
      for (const pid of pids) process.kill(pid, 'SIGUSR2');
    },
  },
  drain: {
    what: 'the pod of one rank is evicted, as by kubectl drain',
    deletes: 'victim',
    inject: async (scene) => void (await evict(scene, scene.pods[scene.victim]!)),
  },
  'taken-away': {
    what: 'the pods of all ranks are evicted, as for a job that is more urgent; there is room for new ones',
    deletes: 'all',
    inject: async (scene) => void (await Promise.all(scene.pods.map((pod) => evict(scene, pod)))),
  },
  'crash-without-quota': {
    what: `one rank ends with exit code 1 while a quota allows no new pods; after ${NO_QUOTA_MS / 1_000} s it does again`,
    inject: async (scene) => {
      await scene.cluster.create(RESOURCE_QUOTAS, NO_PODS);
      crash(scene);
      await delay(NO_QUOTA_MS);
      await scene.cluster.delete(RESOURCE_QUOTAS, NAMESPACE, NO_PODS.metadata.name);
    },
  },
  'slow-rank': {
    what: 'one rank takes five times as long for a step, and so do all; nobody here restarts a job for it',
    inject: async ({ pids, victim }) => void process.kill(pids[victim]!, 'SIGHUP'),
  },
  'node-silent': {
    what: 'the node of one rank loses its power: its programs are gone, and nobody is told',
    onlyOn: 'real',
    inject: async ({ cluster, pods, victim, powerOff }) => {
      const { spec } = await cluster.get(PODS, NAMESPACE, pods[victim]!);
      return powerOff!(spec.nodeName!);
    },
  },
  'gpu-error': {
    what: 'NVSentinel writes on the node of one rank that memory of its GPU fails, while all ranks train on there',
    // Who leaves the node needs another one.
    onlyOn: 'real',
    inject: async ({ cluster, pods, victim }) => {
      const { spec } = await cluster.get(PODS, NAMESPACE, pods[victim]!);
      await setGpuMemWatch(cluster, spec.nodeName!, 'True');
      return () => setGpuMemWatch(cluster, spec.nodeName!, 'False');
    },
  },
  'crash-without-controller': crashWithout('controller', 'the operator, or worker and watcher,'),
  'crash-without-worker': crashWithout('worker', 'the worker'),
  'crash-without-watcher': crashWithout('watcher', 'the watcher'),
  'crash-without-temporal': crashWithout('temporal', 'Temporal'),
  'crash-without-api-server': crashWithout('api-server', 'the API server'),
} as const satisfies Readonly<Record<string, Fault>>;
export type FaultName = keyof typeof FAULTS;

/** Faults that no nodes here show, and why. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  'image-pull': 'there is no registry: an image that is missing stays away',
};
