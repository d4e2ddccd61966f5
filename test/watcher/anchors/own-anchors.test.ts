import { describe, expect, it, jest } from '@jest/globals';
import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { anchorFacts, isForeign } from '../../../watcher/anchors/anchor-facts.ts';
import { ownAnchors } from '../../../watcher/anchors/own-anchors.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { type AnchorChoice, anAnchor, aPod, READY } from '../fixtures.ts';

describe('an anchor is foreign', () => {
  const home = { installation: 'ours', clusterId: 'here' };
  const foreign = (choice: AnchorChoice, at = home as Parameters<typeof isForeign>[1]) =>
    isForeign(anchorFacts(anAnchor(choice))!, at);

  it.each<[string, AnchorChoice, boolean]>([
    ['of this installation and cluster', { installation: 'ours', clusterId: 'here' }, false],
    ['of this installation, made where nobody knew the cluster', { installation: 'ours' }, false],
    ['of another installation', { installation: 'theirs', clusterId: 'here' }, true],
    ['of nobody known', {}, true],
    ['copied from another cluster', { installation: 'ours', clusterId: 'there' }, true],
  ])('when it is not ours: %s', (_, choice, is) => {
    expect(foreign(choice)).toBe(is);
  });

  it('by its installation alone, where the cluster is not known', () => {
    expect(foreign({ installation: 'ours', clusterId: 'there' }, { installation: 'ours' })).toBe(false);
    expect(foreign({ installation: 'theirs' }, { installation: 'ours' })).toBe(true);
  });
});

describe('an anchor whose owner was changed', () => {
  const HOME = { installation: 'ours', clusterId: 'here' };
  const choice = { installation: 'ours', clusterId: 'here', firstRunId: 'run-1' };
  const known = anAnchor(choice);

  it.each<[string, AnchorChoice]>([
    ['workflow', { ...choice, workflowId: 'job/default/other' }],
    ['workflow, to none', { ...choice, workflowId: '' }],
    ['run', { ...choice, firstRunId: 'run-2' }],
    ['installation', { ...choice, installation: 'theirs' }],
    ['cluster', { ...choice, clusterId: 'there' }],
  ])('still belongs to its first owner, and is followed: %s', (_, edit) => {
    const store = new JobStore();
    const edited: string[] = [];
    const others = {
      ownerOf: (anchor: ConfigMap) => store.knownOf(anchor),
      edited: ({ metadata }: ConfigMap) => edited.push(metadata.name),
      foreign: jest.fn(),
      unusable: { add: () => undefined, remove: () => undefined, keepOnly: () => undefined },
    };
    const handlers = ownAnchors(store.anchorsIn(), HOME, others);
    handlers.changed(known, 1);
    handlers.changed(anAnchor({ ...edit, phase: 'Running' }), 2);
    const owner = {
      installation: 'ours',
      clusterId: 'here',
      workflowId: 'job/default/resnet',
      firstRunId: 'run-1',
    };
    const job = store.job({ namespace: 'default', uid: 'anchor-1' });
    expect(job?.anchor).toMatchObject({ ...owner, phase: 'Running', job: { name: 'resnet' } });
    expect(edited).toEqual(['resnet.signalbox']);
    handlers.replaced([anAnchor({ ...edit, phase: 'Restarting' })], 3);
    expect(job?.anchor).toMatchObject({ ...owner, phase: 'Restarting' });
    expect(others.foreign).not.toHaveBeenCalled();
  });

  it('keeps its kind, main containers, host list and Services, which never change', () => {
    const store = new JobStore();
    store.anchorsIn().changed(anAnchor({ ...choice, hostList: 'ready:worker' }), 1);
    const before = store.knownOf(known);
    const { annotations, ...metadata } = anAnchor({ ...choice, phase: 'Running' }).metadata;
    const phase = { 'signalbox.dev/phase': annotations?.['signalbox.dev/phase'] ?? '' };
    store.anchorsIn().changed({ ...known, metadata: { ...metadata, annotations: phase } }, 2);
    expect(before).toMatchObject({ job: { kind: 'PyTorchJob' }, hostList: { when: 'ready' } });
    expect(store.knownOf(known)).toEqual({ ...before, phase: 'Running' });
  });

  it('keeps the name of its job without the label', () => {
    const { labels: _, ...metadata } = known.metadata;
    expect(anchorFacts({ ...known, metadata })?.job?.name).toBe('resnet');
  });
});

it('a pod of another namespace belongs to no job, whichever anchor it names as its owner', () => {
  const jobs = new JobStore();
  const anchor = anAnchor({ installation: 'ours' });
  jobs.anchorsIn().changed(anchor, 1);
  jobs.podsIn().changed(aPod({ status: READY, node: 'gpu-1' }), 2);
  jobs
    .podsIn()
    .changed(aPod({ index: 1, uid: 'stranger', namespace: 'tenant', status: { phase: 'Succeeded' } }), 3);
  const job = jobs.job({ namespace: 'default', uid: 'anchor-1' })!;
  expect(jobs.digestOf(job, job.anchor!).roles).toEqual({
    worker: expect.objectContaining({ ready: 1, succeeded: 0 }),
  });
});
