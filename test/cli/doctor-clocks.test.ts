import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { clocksOfWorkers } from '../../cli/doctor/clocks-of-workers.ts';
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

/** Workers, by how far the clock of each is ahead, and a Temporal server whose clock is ahead by so much. They answer in turns. */
function clientOf({ temporal, workers }: { temporal: number; workers: Readonly<Record<string, number>> }) {
  const identities = Object.keys(workers);
  let asked = 0;
  const now = () => msToTs(Date.now() + temporal);
  const start = async () => {
    const identity = identities[asked++ % identities.length]!;
    const events = [
      { eventTime: now() },
      { eventTime: now(), activityTaskStartedEventAttributes: { identity } },
      { eventTime: now(), activityTaskCompletedEventAttributes: {} },
    ];
    const at = new Date(Date.now() + temporal + workers[identity]!).toISOString();
    return { result: async () => ({ result: { at } }), fetchHistory: async () => ({ events }) };
  };
  return { workflow: { start } } as unknown as Client;
}

const saidOf = async (clocks: Parameters<typeof clientOf>[0], pollers = Object.keys(clocks.workers)) =>
  (await clocksOfWorkers(clientOf(clocks), 'signalbox', pollers)).map(
    ({ part, state, message }) => `${part} ${state}: ${message}`,
  );

test('signalbox doctor asks workers what time it is, and compares that with what Temporal says', async () => {
  const agrees = 'Temporal ok: the clock of Temporal agrees with that of this machine';
  expect(await saidOf({ temporal: 0, workers: { one: 0, two: 3_000 } })).toEqual([
    agrees,
    'workers ok: the clocks of workers agree with that of Temporal',
  ]);
  expect(await saidOf({ temporal: 0, workers: { one: 0, two: -20_000 } })).toEqual([
    agrees,
    expect.stringMatching(/^workers warning: the clock of worker two is .* behind that of Temporal$/),
  ]);
  // The workers are right, as far as Temporal knows.
  expect(await saidOf({ temporal: 60_000, workers: { one: 0 } })).toEqual([
    expect.stringMatching(/^Temporal warning: the clock of Temporal is .* ahead of that of this machine$/),
    'workers ok: the clocks of workers agree with that of Temporal',
  ]);
});

test('signalbox doctor says of how many workers it knows the clock, and why of none', async () => {
  const said = await saidOf({ temporal: 0, workers: { one: 0 } }, ['one', 'two', 'three']);
  expect(said[1]).toBe('workers ok: the clocks of 1 of 3 workers agree with that of Temporal');
  const start = async () => Promise.reject(new Error('method: expected one of history, got "clock".'));
  const client = { workflow: { start } } as unknown as Client;
  expect(await clocksOfWorkers(client, 'signalbox', ['one'])).toMatchObject([
    { state: 'warning', check: 'clock', message: expect.stringContaining('expected one of history') },
  ]);
});
