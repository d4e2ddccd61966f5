/** What clusters and jobs of the pairs name. */

export const GPU = 'nvidia.com/gpu';
export const NIC = 'example.com/nic';
export const ZONE = 'topology.kubernetes.io/zone';
export const POOL = 'example.com/pool';
export const GENERATION = 'example.com/generation';

/** The ConfigMap that each namespace has. */
export const ROOT_CA = 'kube-root-ca.crt';
/** No object, label or node has this name. */
export const ABSENT = 'absent';

export const ZONES = ['a', 'b'] as const;
export const POOLS = ['x', 'y'] as const;
/** Numbers of one digit and of two: `Gt` and `Lt` compare them as numbers. */
export const GENERATIONS = ['2', '9', '10'] as const;
export const PORTS = [8080, 9090] as const;
export const APPS = ['noisy', 'quiet'] as const;

export const PRIORITIES = { low: 'pairs-low', high: 'pairs-high', polite: 'pairs-polite' } as const;
export const RUNTIMES = { heavy: 'pairs-heavy', pinned: 'pairs-pinned' } as const;
/** Bound at once, or with the first pod. Volumes of the first two are made by people, those of the others by a provisioner that never answers. */
export const STORAGE = {
  ...{ now: 'pairs-now', later: 'pairs-later' },
  ...{ madeNow: 'pairs-made-now', madeLater: 'pairs-made-later', madeInZone: 'pairs-made-in-zone' },
} as const;
export const PROVISIONER = 'provisioner.pairs.example.com';
export const DEVICES = 'gpu.pairs.example.com';

export const TAINTS = {
  dedicated: { key: 'example.com/dedicated', value: 'team', effect: 'NoSchedule' },
  maintenance: { key: 'example.com/maintenance', value: 'tonight', effect: 'NoExecute' },
  spot: { key: 'example.com/spot', effect: 'PreferNoSchedule' },
} as const;

export const nodeName = (index: number): string => `node-${index}`;
export const claimName = (index: number): string => `data-${index}`;
