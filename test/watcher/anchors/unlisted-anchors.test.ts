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
let jobs: JobStore;
let unlisted: UnlistedAnchors;
let results: string[];

const job = () => jobs.job(anchorFacts(ANCHOR) as AnchorFacts);

beforeEach(() => {
  failures = 0;
  results = [];
  const find = async () => {
    if (failures-- > 0) throw new Error('away');
    return answer;
  };
  const cluster = { find } as never as ConstructorParameters<typeof UnlistedAnchors>[0]['cluster'];
  jobs = new JobStore();
  jobs.on('unlisted', (anchor) => void unlisted.check(anchor));
  unlisted = new UnlistedAnchors(
    {
      cluster,
      log: { warn: () => undefined } as never,
      store: {
        anchorFound: (anchor) => {
          results.push('found');
          jobs.anchorFound(anchor);
        },
        anchorGone: (anchor) => {
          results.push('gone');
          jobs.anchorGone(anchor);
        },
      },
    },
    new AbortController().signal,
  );
  jobs.anchorsIn().changed(ANCHOR, 1);
});

const withoutLabels = { ...ANCHOR, metadata: { ...ANCHOR.metadata, labels: {} } };
const withoutRecord = { ...ANCHOR, metadata: { ...ANCHOR.metadata, annotations: {} } };

it.each([
  ['its labels', withoutLabels],
  ['the name of its workflow', withoutRecord],
])('an anchor without %s does not count as deleted, and keeps its job', async (_what, found) => {
  answer = found;
  failures = 2;
  jobs.anchorsIn().deleted(ANCHOR, 2);
  await eventually('it was read', () => results.length > 0);
  expect(results).toEqual(['found']);
  expect(job()?.anchor).toMatchObject({ deleted: false, workflowId: anchorFacts(ANCHOR)!.workflowId });
  expect(job()?.anchorGone).toBeFalsy();
  expect(unlisted.has(anchorFacts(ANCHOR)!)).toBe(true);
});

it.each([
  ['nothing', undefined],
  ['another anchor', { ...ANCHOR, metadata: { ...ANCHOR.metadata, uid: 'another' } }],
])('an anchor counts as deleted if its name has %s, also if a list lacks it', async (_what, found) => {
  answer = found;
  jobs.anchorsIn().replaced([], 2);
  await eventually('it was read', () => results.length > 0);
  expect(results).toEqual(['gone']);
});
