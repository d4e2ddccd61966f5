import { describe, expect, it } from '@jest/globals';
import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { anchorFacts, faultOfAnchor, trimAnchor } from '../../../watcher/anchors/anchor-facts.ts';
import { ownAnchors } from '../../../watcher/anchors/own-anchors.ts';
import { metrics } from '../../../watcher/metrics.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { UnusableAnchors } from '../../../watcher/unusable-anchors.ts';
import { type AnchorChoice, anAnchor } from '../fixtures.ts';

const LONG = 'x'.repeat(200_000);

describe('a ConfigMap with the labels of an anchor is ignored', () => {
  it.each([
    ['its workflow id is longer than Temporal allows', LONG, 'expected at most 1000 bytes, got more'],
    ['its workflow id has more bytes than that', 'é'.repeat(501), 'expected at most 1000 bytes, got more'],
    ['its workflow id has a control character', 'job/\u0000', 'expected no control characters, got some'],
    ['its workflow id is empty', '', 'expected an id, got nothing'],
  ])('if %s', (_, workflowId, fault) => {
    const anchor = anAnchor({ workflowId });
    expect(anchorFacts(anchor)).toBeUndefined();
    expect(faultOfAnchor(anchor)).toBe(`metadata.annotations[signalbox.dev/workflow-id]: ${fault}`);
  });

  it('except with the longest id', () => {
    expect(anchorFacts(anAnchor({ workflowId: 'x'.repeat(1_000) }))).toBeDefined();
  });
});

it('an annotation that is longer than signalbox writes is ignored', () => {
  const milestones = Array.from({ length: 50_000 }, () => '1').join(',');
  const hostList = `ready:${LONG}`;
  const facts = anchorFacts(anAnchor({ firstRunId: LONG, milestones, hostList, decidingPod: LONG }))!;
  expect(facts).toMatchObject({ workflowId: 'job/default/resnet' });
  const { firstRunId, decidingPod } = facts;
  expect([firstRunId, decidingPod, facts.milestones, facts.hostList]).toEqual(Array(4).fill(undefined));
});

it('a stored anchor has only its own annotations, without excess length', () => {
  const watch = { progress: { log: 'step=(\\\\d+)' } };
  const anchor = anAnchor({ watch, workflowId: LONG });
  const annotations = { ...anchor.metadata.annotations, 'example.com/note': LONG };
  const trimmed = trimAnchor({ ...anchor, metadata: { ...anchor.metadata, annotations } });
  expect(JSON.stringify(trimmed).length).toBeLessThan(40_000);
  expect(anchorFacts(trimmed)).toBeUndefined();
  const good = anAnchor({ watch, milestones: '1,2' });
  expect(anchorFacts(trimAnchor(good))).toEqual(anchorFacts(good));
});

describe('a watcher', () => {
  const bad = (choice: AnchorChoice = {}) => anAnchor({ installation: 'ours', workflowId: LONG, ...choice });

  function follows() {
    const warned: object[] = [];
    const store = new JobStore();
    const unusable = new UnusableAnchors({ warn: (what: object) => warned.push(what) } as never);
    const handlers = ownAnchors(
      store.anchorsIn(),
      { installation: 'ours' },
      {
        foreign: () => undefined,
        unusable,
        ownerOf: (anchor) => store.knownOf(anchor),
        edited: () => undefined,
      },
    );
    return { warned, store, handlers };
  }

  const counted = async () => (await metrics.unusableAnchors.get()).values[0]?.value;

  it('logs an unusable anchor once, and counts it while it exists', async () => {
    const { warned, handlers, store } = follows();
    const anchors: ConfigMap[] = [bad(), bad({ uid: 'anchor-2', job: 'other' })];
    handlers.replaced(anchors, 1);
    handlers.replaced(anchors, 2);
    handlers.changed(anchors[0]!, 3);
    expect(warned).toHaveLength(2);
    expect(warned[0]).toMatchObject({ anchor: 'default/resnet.signalbox' });
    expect(await counted()).toBe(2);
    handlers.deleted(anchors[0]!, 4);
    expect(await counted()).toBe(1);
    handlers.replaced([], 5);
    expect(await counted()).toBe(0);
    expect(store.size.jobs).toBe(0);
  });

  it('does not log unusable anchors of other installations', () => {
    const { warned, handlers } = follows();
    handlers.changed(bad({ installation: 'theirs' }), 1);
    expect(warned).toEqual([]);
  });

  it('keeps its knowledge of a job whose anchor became unusable, and sees its deletion', () => {
    const { handlers, store } = follows();
    store.on('unlisted', (anchor) => store.anchorGone(anchor));
    handlers.changed(anAnchor({ installation: 'ours' }), 1);
    handlers.changed(bad(), 2);
    const job = store.job({ namespace: 'default', uid: 'anchor-1' })!;
    expect(job.anchor).toMatchObject({ workflowId: 'job/default/resnet', deleted: false });
    handlers.deleted(bad(), 3);
    expect(job.anchor).toMatchObject({ workflowId: 'job/default/resnet', deleted: true });
  });
});
