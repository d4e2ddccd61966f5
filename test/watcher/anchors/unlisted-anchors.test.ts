import { beforeEach, expect, it } from '@jest/globals';
import { type AnchorFacts, anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { UnlistedAnchors } from '../../../watcher/anchors/unlisted-anchors.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor } from '../fixtures.ts';

const ANCHOR = anAnchor({ phase: 'Running' });

/** What the API server has under the anchor's name, or the error that it answers with, once. */
let answer: ReturnType<typeof anAnchor> | undefined;
let failures: number;
let book: JobStore;
let unlisted: UnlistedAnchors;
let told: string[];

const job = () => book.job(anchorFacts(ANCHOR) as AnchorFacts);

beforeEach(() => {
  failures = 0;
  told = [];
  const find = async () => {
    if (failures-- > 0) throw new Error('away');
    return answer;
  };
  const cluster = { find } as never as ConstructorParameters<typeof UnlistedAnchors>[0]['cluster'];
  book = new JobStore();
  book.on('unlisted', (anchor) => void unlisted.check(anchor));
  unlisted = new UnlistedAnchors(
    {
      cluster,
      log: { warn: () => undefined } as never,
      store: {
        anchorFound: (anchor) => {
          told.push('found');
          book.anchorFound(anchor);
        },
        anchorGone: (anchor) => {
          told.push('gone');
          book.anchorGone(anchor);
        },
      },
    },
    new AbortController().signal,
  );
  book.anchors.changed(ANCHOR, 1);
});

const withoutLabels = { ...ANCHOR, metadata: { ...ANCHOR.metadata, labels: {} } };
const withoutRecord = { ...ANCHOR, metadata: { ...ANCHOR.metadata, annotations: {} } };

it.each([
  ['its labels', withoutLabels],
  ['the name of its workflow', withoutRecord],
])('an anchor without %s does not count as deleted, and keeps its job', async (_what, found) => {
  answer = found;
  failures = 2;
  book.anchors.deleted(ANCHOR, 2);
  await eventually('it was read', () => told.length > 0);
  expect(told).toEqual(['found']);
  expect(job()?.anchor).toMatchObject({ deleted: false, workflowId: anchorFacts(ANCHOR)!.workflowId });
  expect(job()?.anchorGone).toBeFalsy();
  expect(unlisted.has(anchorFacts(ANCHOR)!)).toBe(true);
});

it.each([
  ['nothing', undefined],
  ['another anchor', { ...ANCHOR, metadata: { ...ANCHOR.metadata, uid: 'another' } }],
])('an anchor counts as deleted if its name has %s, also if a list lacks it', async (_what, found) => {
  answer = found;
  book.anchors.replaced([], 2);
  await eventually('it was read', () => told.length > 0);
  expect(told).toEqual(['gone']);
});
