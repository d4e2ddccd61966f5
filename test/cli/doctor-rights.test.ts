import { describe, expect, test } from '@jest/globals';
import type { Account } from '../../cli/doctor/account.ts';
import { rightFindings } from '../../cli/doctor/right-checks.ts';
import { rightsOf } from '../../cli/doctor/rights.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { bridgeManifests, clusterManifests, type Rules } from '../deploy/manifests.ts';

/** For custom resources and queues of Kueue; and what the bridge needs to see other operators, of which there are findings. */
const APART = ['signalbox-worker-bridge', 'signalbox-bridge-operators', 'signalbox-worker-flavors'];

/** What deploy/kubernetes grants a process in the whole cluster, as `verb resource name`. */
function granted(account: Account): string[] {
  const roles = [...clusterManifests(), ...bridgeManifests()].filter(
    (object): object is Rules & KubeObject =>
      object.kind === 'ClusterRole' &&
      object.metadata.name.startsWith(`signalbox-${account}`) &&
      !APART.includes(object.metadata.name),
  );
  return roles
    .flatMap(({ rules }) => rules)
    .flatMap(({ resources, resourceNames = [''], verbs }) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${resource} ${name}`.trim())),
      ),
    )
    .filter((right) => !/podgroups|workloads/.test(right));
}

describe('the permissions that `signalbox doctor` checks', () => {
  test.each<Account>(['worker', 'watcher', 'bridge'])(
    'of a %s are those that deploy/kubernetes grants',
    (account) => {
      const wanted = rightsOf(account).map(({ verb, resource, name = '' }) =>
        `${verb} ${resource} ${name}`.trim(),
      );
      expect(wanted.sort()).toEqual(granted(account).sort());
    },
  );
});

describe('what a watcher lacks', () => {
  interface Attributes {
    readonly verb: string;
    readonly resource: string;
    readonly namespace?: string;
  }

  /** What `signalbox doctor` says to an account that lacks these rights. */
  async function found(namespaces: readonly string[] | undefined, lacks: (asked: Attributes) => boolean) {
    const create = async (
      _: unknown,
      { spec }: { readonly spec: { readonly resourceAttributes: Attributes } },
    ) => ({
      status: { allowed: !lacks(spec.resourceAttributes) },
    });
    const client = { create } as unknown as ClusterClient;
    const findings = await rightFindings(client, { account: 'watcher', namespaces });
    return findings.map(({ state, message }) => `${state}: ${message}`);
  }

  test('is nothing', async () => {
    expect(await found(['team-a', 'team-b'], () => false)).toEqual([
      'ok: this account has those of a watcher in namespaces team-a, team-b',
    ]);
  });

  test('is named with the namespaces that lack it', async () => {
    const lacks = ({ resource, namespace }: Attributes) => resource === 'services' && namespace !== 'team-b';
    expect(await found(['team-a', 'team-b', 'team-c'], lacks)).toEqual([
      'fault: this account may not list services in namespaces team-a, team-c; without: Services that are deleted under a running job',
    ]);
  });

  test('is of the cluster, or of all namespaces', async () => {
    expect(await found(['team-a'], ({ resource }) => resource === 'nodes')).toEqual([
      'warning: this account may not list nodes, watch nodes; without: news of dead nodes',
    ]);
    expect(await found(undefined, ({ verb, resource }) => verb === 'watch' && resource === 'pods')).toEqual([
      'fault: this account may not watch pods in all namespaces; without: jobs',
    ]);
  });
});
