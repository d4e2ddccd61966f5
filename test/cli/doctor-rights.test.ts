import { describe, expect, test } from '@jest/globals';
import { type Account, rightsOf } from '../../cli/doctor/rights.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { clusterManifests, type Rules } from '../deploy/manifests.ts';

/** What deploy/kubernetes grants a process in the whole cluster, as `verb resource name`. */
function granted(account: Account): string[] {
  const roles = clusterManifests().filter(
    (object): object is Rules & KubeObject =>
      object.kind === 'ClusterRole' && object.metadata.name.startsWith(`signalbox-${account}`),
  );
  return roles
    .flatMap(({ rules }) => rules)
    .flatMap(({ resources, resourceNames = [''], verbs }) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${resource} ${name}`.trim())),
      ),
    )
    .filter((right) => !right.includes('podgroups'));
}

describe('the permissions that `signalbox doctor` checks', () => {
  test.each<Account>(['worker', 'watcher'])('of a %s are those that deploy/kubernetes grants', (account) => {
    const wanted = rightsOf(account).map(({ verb, resource, name = '' }) =>
      `${verb} ${resource} ${name}`.trim(),
    );
    expect(wanted.sort()).toEqual(granted(account).sort());
  });
});
