import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import { lookOnce } from '../../../watcher/jobs/missing-services.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

const MINUTE = 60_000;

let jobs: JobStore;
let services: KubeObject[];
let requests: number;
let changed: number;

const aService = (
  name: string,
  owner = 'anchor-1',
  labels: Record<string, string> = { [LABELS.job]: 'resnet' },
) => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: {
    ...{ name, namespace: 'default', labels },
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: owner }],
  },
});

const list = async (
  _resource: unknown,
  { labelSelector, fieldSelector }: { labelSelector?: string; fieldSelector?: string },
) => {
  requests++;
  const isListed = ({ metadata }: KubeObject) =>
    fieldSelector
      ? fieldSelector === `metadata.name=${metadata.name}`
      : metadata.labels?.[labelSelector!] !== undefined;
  const items = services.filter(isListed);
  // As the API server answers a request for metadata.
  return { items: items.length > 0 ? items : null, metadata: {} };
};

const look = (now = MINUTE) => {
  const options = {
    jobs: () => jobs.jobs,
    onChange: () => changed++,
    cluster: { list } as never as Parameters<typeof lookOnce>[0]['cluster'],
  };
  return lookOnce(options, now);
};

const missing = () => [...jobs.jobs][0]!.missingServices;

function follow(phase: string, annotations: Record<string, string> = { [ANNOTATIONS.services]: 'worker' }) {
  const { metadata, ...anchor } = anAnchor({ phase });
  const annotated = { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
  jobs.anchorsIn().changed({ ...anchor, metadata: annotated }, 1);
}

function begin(annotations?: Record<string, string>) {
  jobs = new JobStore();
  follow('Running', annotations);
  for (const index of [0, 1]) jobs.podsIn().changed(aPod({ index, node: 'gpu-1', status: READY }), 1);
}

beforeEach(() => {
  requests = 0;
  changed = 0;
  services = [aService('resnet-worker-0')];
  begin();
});

describe('Services of live pods', () => {
  it('are reported if they are deleted, once, and again after ten minutes', async () => {
    await look();
    expect(missing()).toEqual({ at: MINUTE, names: ['resnet-worker-1'] });
    await look(2 * MINUTE);
    expect([missing()!.at, changed]).toEqual([MINUTE, 1]);
    await look(11 * MINUTE);
    expect([missing()!.at, changed]).toEqual([11 * MINUTE, 2]);
  });

  it('are reported also if the cluster has none at all', async () => {
    services = [];
    await look();
    expect(missing()?.names).toEqual(['resnet-worker-0', 'resnet-worker-1']);
  });

  it('are no longer reported once they are restored', async () => {
    await look();
    services.push(aService('resnet-worker-1'));
    await look(2 * MINUTE);
    expect([missing(), changed]).toEqual([undefined, 2]);
  });

  it('are missing if their labels are gone', async () => {
    services.push(aService('resnet-worker-1', 'anchor-1', {}));
    await look();
    expect(missing()?.names).toEqual(['resnet-worker-1']);
  });

  it('are missing, and so are pods, if the reference to their owner is gone', async () => {
    const service = aService('resnet-worker-1');
    const { ownerReferences: _, ...metadata } = service.metadata;
    const labels = { ...metadata.labels, [LABELS.anchorUid]: 'anchor-1' };
    services.push({ ...service, metadata: { ...metadata, labels } } as KubeObject);
    await look();
    expect(missing()?.names).toEqual(['resnet-worker-1']);
    jobs.podsIn().changed(aPod({ node: 'gpu-1', status: READY, hasLostOwner: true }), 2);
    await look(2 * MINUTE);
    expect(missing()?.names).toEqual(['resnet-worker-0', 'resnet-worker-1']);
  });

  it('are not missing if another object has the name', async () => {
    services.push(aService('resnet-worker-1', 'another', {}));
    await look();
    expect(missing()).toBeUndefined();
  });

  it.each([
    ['is Pending', () => follow('Pending')],
    ['is Restarting', () => follow('Restarting')],
    ['has ended', () => follow('Completed')],
    [
      'is being cleaned up',
      () => follow('Running', { [ANNOTATIONS.services]: 'worker', [ANNOTATIONS.ending]: 'true' }),
    ],
    ['has no Services', () => begin({})],
  ])('are not checked while the job %s', async (_what, change) => {
    change();
    await look();
    expect([missing(), requests]).toEqual([undefined, 0]);
  });
});
