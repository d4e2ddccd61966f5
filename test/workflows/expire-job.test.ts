import { expect, it } from '@jest/globals';
import { expireJob } from '../../workflows/expire-job.ts';
import { startWorkflow } from './workflow-host.ts';

const ANCHOR = { namespace: 'ml', anchorName: 'resnet.signalbox', anchorUid: 'anchor-1' };

it.each(['expired', 'gone', 'alive'])('removes what an ended job left, and returns: %s', async (end) => {
  const flow = await startWorkflow(expireJob, { args: [ANCHOR] });
  expect(flow.activity('expire').request).toEqual(ANCHOR);
  await flow.activity('expire').completes(end);
  expect(flow.ending).toEqual({ type: 'completed', result: end });
});
