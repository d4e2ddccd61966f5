import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_MAPS, type ConfigMap, NAMESPACES, PODS, type Resource } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, GANG_GATE, LABELS } from '../../contracts/labels.ts';
import type { ChaosRun, Fault } from '../scenarios/chaos-faults.ts';
import type { Stage } from '../scenarios/stage.ts';
import { unlessGone, untilDone } from './until-done.ts';

/** People who may write ConfigMaps and pods in a namespace of their own, and copy there what others' jobs have. */
export interface Neighbours {
  /** Copies something of a job, and takes it away after a while. */
  copy(chaos: ChaosRun): Fault;
  close(): Promise<void>;
}

const COPY_MS = [1_000, 15_000] as const;

type Copied = Pick<ConfigMap, 'metadata' | 'data'>;

/** By what is tallied: the object of theirs that is made from one of ours. */
const KINDS: Readonly<Record<string, { readonly resource: Resource; make(ours: Copied): object }>> = {
  'an anchor': { resource: CONFIG_MAPS, make: ({ data }) => ({ kind: 'ConfigMap', data }) },
  'a pod': { resource: PODS, make: () => ({ kind: 'Pod', spec: UNPLACED }) },
  'a pod that waits with the oldest gang': {
    resource: PODS,
    make: () => ({
      kind: 'Pod',
      spec: { ...UNPLACED, schedulingGates: [{ name: GANG_GATE }] },
      metadata: {
        labels: { [LABELS.gated]: '2-of-2' },
        annotations: { [ANNOTATIONS.queuedSince]: '1' },
      },
    }),
  },
};

/** No scheduler looks at it. */
const UNPLACED = { schedulerName: 'nobody', containers: [{ name: 'main', image: 'train:1' }] };

export const COPIES: readonly string[] = Object.keys(KINDS).map(
  (kind) => `copy: ${kind} in another namespace`,
);

export async function openNeighbours({ cluster, namespace: of }: Stage): Promise<Neighbours> {
  const namespace = `${of}-neighbours`;
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return {
    copy:
      ({ jobs, control, note }) =>
      async (chance) => {
        const job = chance.pick(jobs)?.name;
        const kind = chance.pick(Object.keys(KINDS))!;
        const copyMs = chance.between(...COPY_MS);
        const { resource, make } = KINDS[kind]!;
        const ours = job && (await originalOf(control, resource, job));
        if (!ours) return undefined;
        const { name, labels, annotations, ownerReferences } = ours.metadata;
        note(`${name}: a neighbour copies ${kind}`);
        const made = make(ours) as Partial<Copied>;
        const metadata = {
          ...{ name, namespace, ownerReferences },
          labels: { ...labels, ...made.metadata?.labels },
          annotations: { ...annotations, ...made.metadata?.annotations },
        };
        try {
          await cluster.create(resource, { apiVersion: 'v1', ...made, metadata } as never);
          await delay(copyMs);
          return `copy: ${kind} in another namespace`;
        } finally {
          await untilDone(() => cluster.delete(resource, namespace, name).catch(unlessGone));
        }
      },
    close: async () => {
      await cluster.delete(NAMESPACES, undefined, namespace);
    },
  };
}

const originalOf = async (
  { stage: { cluster, namespace }, ledger }: ChaosRun['control'],
  resource: Resource,
  job: string,
): Promise<Copied | undefined> =>
  resource === PODS ? ledger.live(job)[0] : cluster.find(CONFIG_MAPS, namespace, anchorNameOf(job));
