import { expect, test } from '@jest/globals';
import { gangFinding } from '../../cli/doctor/gang-checks.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Resource } from '../../contracts/kubernetes.ts';

/** Of a cluster that serves these API groups. */
const found = (groups: readonly string[], gang: string) => {
  const serves = async ({ apiVersion }: Resource) => groups.includes(apiVersion.split('/')[0] ?? '');
  const settings = resolveSettings({ flags: { gang }, env: {}, sandbox: () => undefined });
  return gangFinding({ serves } as unknown as ClusterClient, settings);
};

test.each([
  [['scheduling.k8s.io', 'scheduling.volcano.sh'], 'auto', 'ok', 'native, volcano'],
  [['scheduling.volcano.sh'], 'volcano', 'ok', 'volcano'],
  [['scheduling.k8s.io'], 'volcano', 'fault', 'it serves native'],
  [[], 'auto', 'warning', 'serves no gang scheduling'],
  [[], 'coscheduling', 'fault', 'it serves none'],
  [['scheduling.k8s.io', 'kueue.x-k8s.io'], 'kueue', 'ok', 'native, kueue'],
  [['kueue.x-k8s.io'], 'auto', 'warning', 'serves no gang scheduling'],
  [[], 'kueue', 'fault', 'whose API the cluster does not serve'],
])('a cluster with %j, and workers set to %s: %s', async (groups, gang, state, words) => {
  expect(await found(groups, gang)).toMatchObject({ state, message: expect.stringContaining(words) });
});
