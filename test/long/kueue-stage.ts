import { expect } from '@jest/globals';
import { resetSandbox, type Sandbox } from '@signalbox/sandbox';
import {
  KUEUE_LOCAL_QUEUES,
  KUEUE_WORKLOADS,
  type KubeObject,
  type Pod,
} from '../../contracts/kubernetes.ts';
import { valueAt } from '../../language/fields.ts';
import { openInstallers } from '../deploy/installers.ts';
import { eventually } from '../eventually.ts';
import { type BridgedStage, openBridgedStage } from '../scenarios/bridged-stage.ts';
import { KUEUE_SYSTEM, type Kueue, startKueue } from './kueue-manager.ts';
import { CPUS, type Flavor, openQueues, type Pools, said } from './kueue-queues.ts';
import { LONG_SANDBOX_DIR, openLongSandbox } from './sandbox.ts';

/** The first build of Kueue takes minutes. */
export const SET_UP_MS = 30 * 60_000;

/**
 * Real Kueue, with its webhooks and the rights of its chart, and all parts of signalbox with the rights of an installation.
 * The quota is that of two jobs, one in each flavor.
 */
export class KueueStage {
  readonly on: BridgedStage;
  readonly kueue: Kueue;
  readonly pools: Pools;

  private constructor(on: BridgedStage, kueue: Kueue, pools: Pools) {
    this.on = on;
    this.kueue = kueue;
    this.pools = pools;
  }

  static async open(): Promise<KueueStage> {
    const on = await openBridgedStage({}, { localNode: false, sandbox: await sandboxWithoutKueue() });
    let kueue: Kueue | undefined;
    try {
      kueue = await startKueue(on.stage);
      return new KueueStage(on, kueue, await openQueues(on.stage, on.kubectl));
    } catch (error) {
      await Promise.allSettled([on.close(), kueue?.stop()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.on.close();
    } finally {
      await this.kueue.stop();
    }
  }

  /** What Kueue has of an owner. */
  async workloadOf(owner: KubeObject): Promise<KubeObject> {
    const { cluster, namespace } = this.on.stage;
    const { items } = await cluster.list(KUEUE_WORKLOADS[0]!, { namespace });
    const found = items.filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some(({ uid }) => uid === owner.metadata.uid),
    );
    if (found.length !== 1) throw new Error(`${owner.metadata.name} has ${found.length} Workloads`);
    return found[0]!;
  }

  /** Kueue has counted that an ended job needs no quota: else it admits the next one to what is left of two flavors. */
  async untilItCounts(ended: string): Promise<void> {
    const { cluster, namespace } = this.on.stage;
    await eventually(`Kueue has the quota of ${ended} back`, async () => {
      const { items } = await cluster.list(KUEUE_WORKLOADS[0]!, { namespace });
      const holding = items.filter((workload) => holdsQuota(workload)).map(({ metadata: { name } }) => name);
      const { items: queues } = await cluster.list(KUEUE_LOCAL_QUEUES[0]!, { namespace });
      const counted = queues.map((queue) => Number(valueAt(queue, 'status.reservingWorkloads') ?? 0));
      return !holding.includes(ended) && counted.reduce((sum, count) => sum + count, 0) === holding.length;
    });
  }

  async setActive({ metadata: { name } }: KubeObject, active: boolean): Promise<void> {
    const { cluster, namespace } = this.on.stage;
    await cluster.patch(KUEUE_WORKLOADS[0]!, { namespace, name }, { spec: { active } });
  }

  /** All pods have what Kueue adds for their flavor, and nothing by which its webhook for pods would hold them back. */
  async expectPodsOf(name: string, flavor: Flavor): Promise<readonly Pod[]> {
    const { nodeSelector } = this.pools[flavor];
    const pods = await this.on.stage.pods(name);
    expect(pods).toHaveLength(CPUS);
    for (const { metadata, spec } of pods) {
      expect(spec.nodeName).toMatch(new RegExp(`^${Object.values(nodeSelector)[0]}-`));
      expect(spec.nodeSelector).toEqual(nodeSelector);
      const tolerations = (spec.tolerations as readonly { readonly key?: string }[]).map(({ key }) => key);
      expect(tolerations.includes('spot')).toBe(flavor === 'spot');
      expect(metadata.labels).toMatchObject({
        'kueue.x-k8s.io/podset': expect.stringMatching(/^(master|worker|launcher)$/),
        'kueue.x-k8s.io/local-queue-name': 'team',
      });
      expect(spec.schedulingGates).toBeUndefined();
    }
    return pods;
  }

  /** Its pods are gone. Before that its quota was not free, and what says how many are active did not say none. */
  async untilItGaveBack(
    name: string,
    look: () => Promise<{ readonly workload: KubeObject; readonly active?: number }>,
  ): Promise<void> {
    const early: string[] = [];
    await eventually(
      `${name} has given back its quota`,
      async () => {
        const { workload, active } = await look();
        const isFree = said(workload, 'QuotaReserved')?.status === 'False';
        const { length } = await this.on.stage.pods(name);
        if (length > 0 && isFree) early.push(`${length} pods, but the quota is free`);
        if (length > 0 && active === 0) early.push(`${length} pods, but none is active`);
        return length === 0 && isFree && !active;
      },
      { everyMs: 50 },
    );
    expect(early).toEqual([]);
  }
}

/** What another file has installed stays in a sandbox. */
async function sandboxWithoutKueue(): Promise<Sandbox> {
  const sandbox = await openLongSandbox();
  const { kubectl } = await openInstallers(sandbox.kubeconfig);
  const found = await kubectl('get', 'namespace', KUEUE_SYSTEM, '--ignore-not-found', '-o', 'name');
  if (found.trim() === '') return sandbox;
  await resetSandbox(LONG_SANDBOX_DIR);
  return openLongSandbox();
}

const holdsQuota = (workload: KubeObject) =>
  said(workload, 'QuotaReserved')?.status === 'True' && said(workload, 'Finished')?.status !== 'True';
