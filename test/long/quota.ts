import { setTimeout as delay } from 'node:timers/promises';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import { hasEnded } from '../scenarios/pod-ledger.ts';
import { unlessGone, untilDone } from './until-done.ts';

const QUOTAS: Resource<KubeObject> = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
const NAME = 'chaos';
const FULL_MS = [1_000, 8_000] as const;
/** So many more pods fit. */
const ROOM = [0, 6] as const;

/** A quota of pods that is as good as full, and goes after a while. */
export async function fillQuota({ control, note }: ChaosRun, chance: Chance): Promise<string> {
  const { cluster, namespace } = control.stage;
  const used = control.ledger.all().filter((pod) => !hasEnded(pod)).length;
  const pods = String(used + chance.between(...ROOM));
  const fullMs = chance.between(...FULL_MS);
  note(`a quota of ${pods} pods, for ${fullMs} ms`);
  try {
    const metadata = { name: NAME, namespace };
    await cluster.create(QUOTAS, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata,
      spec: { hard: { pods } },
    });
    await delay(fullMs);
    return 'quota: fills, and frees';
  } finally {
    await untilDone(() => cluster.delete(QUOTAS, namespace, NAME).catch(unlessGone));
  }
}
