import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { CONFIG_MAPS, LEASES } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import type { Running } from '../../../contracts/settings.ts';
import { startWatcher, type WatcherSettings } from '../../../watcher/watcher.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor } from '../fixtures.ts';
import { Stage, until } from '../stage.ts';

/** Every fate of a foreign anchor is something that does not happen: so each test lets the watcher do the same for one of its own. */
describe('a watcher in a cluster that others use too', () => {
  let stage: Stage;
  let running: Running[] = [];
  let logged: { msg: string; installation?: string; example?: string }[] = [];

  beforeAll(async () => {
    stage = await Stage.open();
  });

  afterEach(async () => {
    await Promise.all(running.map((watcher) => watcher.stop()));
    [running, logged] = [[], []];
  });

  afterAll(() => stage?.close());

  async function watch(more: Partial<WatcherSettings> = {}): Promise<Running> {
    const log = pino({ level: 'debug' }, { write: (line) => logged.push(JSON.parse(line)) });
    const watcher = await startWatcher({ ...stage.settings, ...more }, log);
    running.push(watcher);
    return watcher;
  }

  async function cleanUpOf(anchor: string, uid: string): Promise<unknown> {
    const cleanUp = stage.temporal.workflow.getHandle(`orphan/default/${anchor}/${uid}`);
    return cleanUp.result().catch(() => undefined);
  }

  it('does not signal or clean up jobs of another installation, and logs that once', async () => {
    const foreign = ['one', 'two'].map((job) =>
      anAnchor({ job, uid: undefined, installation: 'somebody-else', workflowId: `job/default/${job}` }),
    );
    const made = await Promise.all(foreign.map((anchor) => stage.cluster.create(CONFIG_MAPS, anchor)));
    const unmarked = await stage.cluster.create(CONFIG_MAPS, anAnchor({ job: 'three', uid: undefined }));
    const own = await stage.startJob('own');
    await own.workflow.terminate();
    await watch();
    await until('its own is cleaned up', () => cleanUpOf('own.signalbox', own.uid));
    for (const { metadata } of [...made, unmarked]) {
      expect(await cleanUpOf(metadata.name, metadata.uid!)).toBeUndefined();
    }
    const said = logged.filter(({ msg }) => msg.includes('jobs of another signalbox installation'));
    expect(said.filter(({ installation }) => installation === 'somebody-else')).toHaveLength(1);
    expect(said).toHaveLength(2);
  });

  it('does not take the jobs of another cluster for jobs with a deleted anchor', async () => {
    const elsewhere = await stage.startJob('elsewhere', { clusterId: 'another-cluster' });
    const here = await stage.startJob('here');
    for (const { name } of [elsewhere, here]) {
      await stage.cluster.delete(CONFIG_MAPS, 'default', `${name}.signalbox`);
    }
    await watch();
    await here.untilDigest('its anchor was deleted', ({ anchorDeleted }) => anchorDeleted);
    expect(await elsewhere.received()).toEqual([]);
  });

  it('signals no workflow of another job, whatever an anchor says', async () => {
    const victim = await stage.startJob('victim');
    const { uid: _, ...metadata } = anAnchor({
      ...stage.home,
      job: 'forged',
      workflowId: victim.workflowId,
    }).metadata;
    await stage.cluster.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await watch();
    await victim.addPods(1);
    await victim.untilDigest('it has a pod', ({ roles }) => roles.worker?.unscheduled === 1);
    expect((await victim.received()).map(({ anchor }) => anchor)).toEqual(
      (await victim.received()).map(() => victim.uid),
    );
  });

  const theirLease = (name: string, leaseDurationSeconds: number) =>
    stage.cluster.create(LEASES, {
      apiVersion: LEASES.apiVersion,
      kind: LEASES.kind,
      metadata: { name, namespace: 'default', annotations: { [LABELS.installation]: 'somebody-else' } },
      spec: { holderIdentity: 'their-watcher', leaseDurationSeconds },
    });

  it('refuses to start on a lease that another installation renews, with a remedy', async () => {
    const name = 'contested';
    await theirLease(name, 15);
    const renewing = setInterval(() => {
      const spec = { renewTime: new Date().toISOString().replace('Z', '000Z') };
      void stage.cluster.patch(LEASES, { namespace: 'default', name }, { spec });
    }, 300);
    try {
      const watcher = await watch({ leaseName: name });
      await expect(watcher.failed).rejects.toThrow(
        /lease default\/contested is held by their-watcher, .* another signalbox installation \(Temporal namespace somebody-else; .*SIGNALBOX_LEASE_NAMESPACE, or SIGNALBOX_LEASE_NAME/,
      );
    } finally {
      clearInterval(renewing);
    }
  });

  it('takes over a lease that another installation has left', async () => {
    const name = 'left-behind';
    await theirLease(name, 1);
    await watch({ leaseName: name });
    await until('it leads', async () => {
      const { annotations } = (await stage.cluster.get(LEASES, 'default', name)).metadata;
      return annotations?.[LABELS.installation] === stage.home.installation;
    });
    await eventually('it is reported', async () =>
      logged.some(({ msg }) => msg.startsWith('took the lease over from another installation')),
    );
  });
});
