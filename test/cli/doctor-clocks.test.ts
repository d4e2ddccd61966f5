import { expect, test } from '@jest/globals';
import { clusterFindings } from '../../cli/doctor/cluster-checks.ts';
import { leaderFindings } from '../../cli/doctor/leader-checks.ts';
import type { Settings } from '../../cli/settings/settings.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Lease } from '../../contracts/kubernetes.ts';

const wholeSeconds = (at: number) => Math.floor(at / 1_000) * 1_000;

/** What `signalbox doctor` says where the API server's clock is ahead of this machine's. */
async function ofThisMachine(aheadMs: number) {
  const client = {
    server: 'https://cluster',
    version: async () => ({ gitVersion: 'v1.36.0' }),
    now: () => Date.now() + aheadMs,
    create: async () => ({ status: { allowed: true } }),
  } as unknown as ClusterClient;
  const found = [];
  for await (const finding of clusterFindings(client, { account: 'watcher', namespaces: undefined }))
    if (finding.check === 'clock') found.push(`${finding.state}: ${finding.message}`);
  return found;
}

/** The same of a watcher that renews its lease. */
async function ofWatcher(aheadMs: number) {
  const written = Date.now() - 2_000;
  const lease: Lease = {
    ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
    metadata: {
      ...{ name: 'signalbox-watcher', namespace: 'signalbox-system' },
      managedFields: [{ time: new Date(wholeSeconds(written)).toISOString() }],
    },
    spec: {
      holderIdentity: 'one_2',
      leaseDurationSeconds: 3_600,
      renewTime: new Date(written + aheadMs).toISOString(),
    },
  };
  const settings = { leaseNamespace: 'signalbox-system', leaseName: 'signalbox-watcher' } as Settings;
  const client = { find: async () => lease } as unknown as ClusterClient;
  const findings = await leaderFindings('watcher', client, { settings, installation: undefined });
  return findings.filter(({ check }) => check === 'clock').map((one) => `${one.state}: ${one.message}`);
}

test('signalbox doctor names clocks that differ, by how much, and in which direction', async () => {
  expect(await ofThisMachine(0)).toEqual([
    'ok: the clock of this machine agrees with that of the API server',
  ]);
  expect(await ofThisMachine(-60_000)).toEqual([
    expect.stringMatching(
      /^warning: the clock of this machine is (59|1m|60).* ahead of that of the API server$/,
    ),
  ]);
  expect(await ofThisMachine(60_000)).toEqual([
    expect.stringMatching(/^warning: the clock of this machine is .* behind that of the API server$/),
  ]);
  expect(await ofWatcher(0)).toEqual(['ok: the clock of the watcher agrees with that of the API server']);
  expect(await ofWatcher(-20_000)).toEqual([
    expect.stringMatching(/^warning: the clock of the watcher is .* behind that of the API server$/),
  ]);
});
