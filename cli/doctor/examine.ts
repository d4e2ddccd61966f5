import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../cluster/client.ts';
import { openEvidenceStore } from '../../evidence/open-store.ts';
import { installationOf } from '../../temporal/installation.ts';
import type { Settings } from '../settings/settings.ts';
import { unknownVariables } from '../settings/unknown-variables.ts';
import { ownVersion } from '../shell/own-version.ts';
import type { Account } from './account.ts';
import { archiveFindings, archiverFinding } from './archive-checks.ts';
import { appliedFindings, bridgeFindings } from './bridge-checks.ts';
import { clusterFindings, findCluster } from './cluster-checks.ts';
import { type Finding, findingsOf } from './finding.ts';
import { deprecationFindings, gangFinding } from './gang-checks.ts';
import { laneFindings } from './lane-checks.ts';
import { leaderFindings } from './leader-checks.ts';
import { notifierFindings } from './notifier-checks.ts';
import { storeFinding } from './store-finding.ts';
import { findTemporal, temporalFindings } from './temporal-checks.ts';
import { workerFindings } from './worker-checks.ts';

/** Looks at everything that jobs need; yields findings as they are found. What depends on a fault is left out. */
export async function* examine(settings: Settings, account: Account): AsyncGenerator<Finding> {
  yield settingsFinding(settings);
  yield* variableFindings(process.env);
  const temporal = await findTemporal(settings);
  let installation: string | undefined;
  let archiver: Finding | undefined;
  let notifier: readonly Finding[] = [];
  if ('state' in temporal) yield temporal;
  else {
    try {
      yield* withinTime('Temporal', temporalFindings(temporal, settings));
      installation = await installationOf(temporal).catch(() => undefined);
      if (installation) yield* withinTime('workers', workerFindings(temporal, settings));
      if (installation && settings.archive.store) archiver = await archiverFinding(temporal, settings);
      if (installation) notifier = await notifierFindings(temporal, installation);
    } finally {
      await temporal.connection.close();
    }
  }
  const cluster = await findCluster(settings);
  if ('state' in cluster) yield cluster;
  else yield* ofCluster(cluster, settings, { account, installation });
  // Watcher and bridge read no store, and have no credentials for one.
  if (account === 'user' || account === 'worker') {
    yield await evidenceFinding(settings, account);
    yield* withinTime('archive', archiveFindings(settings, account));
  }
  if (archiver) yield archiver;
  yield* notifier;
}

async function* ofCluster(
  cluster: ClusterClient,
  settings: Settings,
  { account, installation }: { readonly account: Account; readonly installation: string | undefined },
): AsyncGenerator<Finding> {
  // What people read and validate is of one namespace.
  const namespaces = account === 'user' ? [settings.namespace ?? 'default'] : settings.cluster.namespaces;
  let isAway = false;
  try {
    for await (const finding of withinTime('cluster', clusterFindings(cluster, { account, namespaces }))) {
      isAway ||= finding.check === 'server' && finding.state === 'fault';
      yield finding;
    }
    if (isAway) return;
    const leases = { settings, installation };
    // Each reads its own lease only, and a worker none.
    if (account === 'user' || account === 'watcher') yield* await leaderFindings('watcher', cluster, leases);
    const ofBridge = () => leaderFindings('bridge', cluster, leases);
    if (account === 'user')
      yield* await appliedFindings(cluster, { bridgeTakes: settings.bridgeTakes, namespaces }, ofBridge);
    if (account === 'bridge') {
      yield* await ofBridge();
      yield* withinTime('bridge', bridgeFindings(cluster, settings));
    } else {
      yield await gangFinding(cluster, settings);
      yield* await laneFindings(cluster, settings);
      yield* await deprecationFindings(cluster, settings);
    }
  } finally {
    await cluster.close();
  }
}

function settingsFinding({ origins, temporal, taskQueue }: Settings): Finding {
  const { ok } = findingsOf('settings');
  const { version } = process;
  const from = origins.temporalAddress ?? 'default';
  return ok(
    'version',
    `signalbox ${ownVersion()}, Node ${version.slice(1)}; Temporal ${temporal.address} (${from}), task queue ${taskQueue}`,
  );
}

function variableFindings(env: NodeJS.ProcessEnv): readonly Finding[] {
  const unknown = unknownVariables(env);
  if (unknown.length === 0) return [];
  const { warning } = findingsOf('settings');
  return [
    warning('variables', `nothing reads ${unknown.join('; ')}`, 'Correct or unset them: docs/settings.md.'),
  ];
}

/** A server that answers nothing must not hang the command. */
const MOST_MS = 20_000;

async function* withinTime(
  part: Finding['part'],
  findings: AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  const ended = new AbortController();
  const late = delay(MOST_MS, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
  try {
    for (;;) {
      const next = await Promise.race([findings.next(), late]);
      if (next === 'late') {
        yield findingsOf(part).fault(
          'answer',
          `none within ${MOST_MS / 1000} s`,
          'Check the network and the load of the server.',
        );
        return;
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    ended.abort();
  }
}

/** Looks whether `signalbox evidence` can read what workers store, and whether a worker could write it. */
const evidenceFinding = ({ jobs: { evidence } }: Settings, account: Account): Promise<Finding> =>
  storeFinding(evidence, {
    area: 'evidence',
    settings: 'SIGNALBOX_EVIDENCE',
    page: 'docs/evidence.md',
    account,
    open: () => {
      const store = openEvidenceStore(evidence);
      return {
        location: store.location,
        examine: () => store.examine(),
        read: async () => void (await store.list(NOBODY)),
        close: () => store.close(),
      };
    },
  });

/** A folder without records, so that the listing is short. */
const NOBODY = 'nobody';
