import fc from 'fast-check';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { oneOf } from '../machines/model-plans.ts';
import { type Manifest, simulatedJob, withPolicy } from '../scenarios/manifests.ts';

/** What jobs of a schedule wait in, and who waits beside its job. */
export interface QueueChoice {
  /** `both`: a gated gang in a lane. */
  readonly waitsIn: 'lanes' | 'gangs' | 'both';
  readonly lane: LaneName;
  /** Jobs of others that want the same room; all are made like this. */
  readonly rivals: readonly Rival[];
  /** What the second lane does to have its share. */
  readonly reclaim: 'never' | 'borrowed';
}

interface Rival {
  readonly lane: LaneName;
  readonly pods: number;
  readonly priority: number;
  /** It is submitted after so many moves. */
  readonly after: number;
}

type LaneName = 'a' | 'b';

export const LANES_AT = { namespace: 'signalbox-system', name: 'signalbox-lanes' } as const;

/** Each job of a schedule fits, and two of the larger ones do not. */
export const POOL_PODS = 5;
/** Less than the pool has. */
export const LIMIT_PODS: Readonly<Record<LaneName, number>> = { a: POOL_PODS, b: 4 };
/** Pods for which one of three nodes has room. */
export const ROOM_OF_NODE = 2;

export const hasLanes = (queue: QueueChoice | undefined): boolean =>
  queue !== undefined && queue.waitsIn !== 'gangs';
export const hasGangs = (queue: QueueChoice | undefined): boolean =>
  queue !== undefined && queue.waitsIn !== 'lanes';

const rivals: fc.Arbitrary<Rival> = fc.record({
  lane: oneOf('a', 'b'),
  pods: fc.integer({ min: 1, max: 4 }),
  priority: oneOf(0, 0, 1),
  after: oneOf(0, 0, 1, 2, 4),
});

export const queues: fc.Arbitrary<QueueChoice> = fc.record({
  waitsIn: oneOf('lanes', 'gangs', 'both'),
  lane: oneOf('a', 'b'),
  rivals: fc.array(rivals, { minLength: 1, maxLength: 2 }),
  reclaim: oneOf('never', 'borrowed'),
});

export function lanesOf({ reclaim }: QueueChoice): ConfigMap {
  const lanes = {
    pools: { places: { capacity: { pods: POOL_PODS } } },
    lanes: {
      a: { pool: 'places', preempt: 'lower' },
      b: { pool: 'places', reclaim, limit: { pods: LIMIT_PODS.b } },
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: LANES_AT,
    data: { 'lanes.yaml': JSON.stringify(lanes) },
  };
}

/** The policy of a job that waits so. */
export const lanePolicy = (queue: QueueChoice, lane: object): object => (hasLanes(queue) ? { lane } : {});

export const asGang = (manifest: Manifest, queue: QueueChoice): Manifest =>
  hasGangs(queue)
    ? {
        ...manifest,
        metadata: {
          ...manifest.metadata,
          annotations: { ...(manifest.metadata.annotations as object), [ANNOTATIONS.gang]: 'gated' },
        },
      }
    : manifest;

export const rivalName = (index: number) => ({ namespace: `team-r${index}`, name: `r${index}` });

export function manifestOfRival(queue: QueueChoice, index: number): Manifest {
  const { lane, pods, priority } = queue.rivals[index]!;
  const manifest = simulatedJob({
    ...rivalName(index),
    master: false,
    worker: { replicas: pods, restartPolicy: 'Never' },
    runPolicy: { cleanPodPolicy: 'All' },
  });
  return asGang(withPolicy(manifest, lanePolicy(queue, { name: lane, priority })), queue);
}
