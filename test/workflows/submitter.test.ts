import { describe, expect, it } from '@jest/globals';
import { TypedSearchAttributes } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { anAdmission } from './admissions.ts';
import { allReady, JobStage } from './job-stage.ts';
import type { RunInput } from './workflow-messages.ts';

/** Returns the submitter in the memo and among the search attributes of a job that runs. */
async function submitterOf(startedBy: string | undefined, input: Partial<RunInput> = {}) {
  const stage = await JobStage.submit(undefined, undefined, input);
  await stage.admits({ ...anAdmission(), startedBy });
  await stage.completes('createAttempt', 10);
  await stage.receives(allReady(11));
  const { memo, typedSearchAttributes } = stage.flow.info;
  return [memo?.submittedBy, typedSearchAttributes.get(SEARCH_ATTRIBUTES.submittedBy)];
}

describe('the submitter of a job', () => {
  it.each([
    ['ana', 'ana'],
    ['966@laptop@', 'unknown@laptop'],
    ['966@laptop', 'unknown@laptop'],
    [undefined, undefined],
  ])('is the client that started it: %s', async (identity, submitter) => {
    expect(await submitterOf(identity)).toEqual([submitter, submitter]);
  });

  it('is whom the start names', async () => {
    expect(await submitterOf('ana', { memo: { submittedBy: 'ben' } })).toEqual(['ben', 'ben']);
    const searchAttributes = new TypedSearchAttributes([
      { key: SEARCH_ATTRIBUTES.submittedBy, value: 'eve' },
    ]);
    expect(await submitterOf('ana', { searchAttributes })).toEqual(['eve', 'eve']);
  });
});
