import { expect, it } from '@jest/globals';
import { jobTable } from '../../../cli/print/job-table.ts';
import { job } from '../top/top-states.ts';

const failed = job('crash', {
  phase: 'Failed',
  reason: 'PodFailed',
  errorLine: `ValueError: ${'x '.repeat(99)}`,
});

it('a wide list says of failed jobs what their logs say, and has no such column without one', async () => {
  const table = await jobTable([failed, job('train')], { isWide: true, hasHeadings: true });
  expect(table).toMatch(/TOOK +ERROR +RUN/);
  expect(table).toMatch(/ValueError: x [x ]{30,70}…/);
  expect(await jobTable([job('train')], { isWide: true, hasHeadings: true })).not.toContain('ERROR');
  expect(await jobTable([failed], { isWide: false, hasHeadings: true })).not.toContain('ERROR');
});
