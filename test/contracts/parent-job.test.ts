import { expect, test } from '@jest/globals';
import { parentIn, parentText } from '../../contracts/parent-job.ts';

const PARENT = { workflowId: 'job/ml/train', runId: 'run-1', revision: 2 };

test('a memo names the parent of a rerun', () => {
  expect(parentIn({ rerunOf: PARENT })).toEqual(PARENT);
  expect(parentText(PARENT)).toBe('job/ml/train, run run-1, revision 2');
  expect(parentText({ workflowId: 'job/ml/train', runId: 'run-1' })).toBe('job/ml/train, run run-1');
});

test.each([undefined, {}, { rerunOf: 'job/ml/train' }, { rerunOf: { workflowId: 'job/ml/train' } }])(
  'the memo %j names none',
  (memo) => expect(parentIn(memo)).toBeUndefined(),
);
