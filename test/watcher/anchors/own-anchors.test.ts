import { describe, expect, it } from 'vitest';
import { anchorFacts, isForeign } from '../../../watcher/anchors/anchor-facts.ts';
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

it('a pod of another namespace is nobody’s, whichever anchor it names as its owner', () => {
  const book = new JobStore();
  const anchor = anAnchor({ installation: 'ours' });
  book.anchors.changed(anchor, 1);
  book.pods.changed(aPod({ status: READY, node: 'gpu-1' }), 2);
  book.pods.changed(
    aPod({ index: 1, uid: 'stranger', namespace: 'tenant', status: { phase: 'Succeeded' } }),
    3,
  );
  const job = book.job({ namespace: 'default', uid: 'anchor-1' })!;
  expect(book.digestOf(job, job.anchor!).roles).toEqual({
    worker: expect.objectContaining({ ready: 1, succeeded: 0 }),
  });
});
