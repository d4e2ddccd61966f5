import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHistoryLimit } from '../../workflows/history-limit.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type HistoryLimit = ReturnType<typeof createHistoryLimit>;

let flow: WorkflowHost;
let limit: HistoryLimit;

const isOver = (isBusy: boolean) => flow.runs(() => limit.shouldContinueAsNew({ isBusy }));

beforeEach(async () => {
  flow = await startIdleWorkflow();
  limit = await flow.runs(createHistoryLimit);
});

describe('a history', () => {
  it('may grow until Temporal suggests a new run', async () => {
    expect(await isOver(false)).toBe(false);
  });

  it('ends at the next idle moment after that', async () => {
    flow.growsTo(4_000);
    expect(await isOver(true)).toBe(false);
    expect(await isOver(false)).toBe(true);
  });

  it('ends at twice that length, however busy the job is', async () => {
    flow.growsTo(4_000);
    await isOver(true);
    flow.growsTo(7_999);
    expect(await isOver(true)).toBe(false);
    flow.growsTo(8_000);
    expect(await isOver(true)).toBe(true);
  });

  it('ends at once when it can accept no more updates', async () => {
    flow.growsTo(300, 'TOO_MANY_UPDATES');
    expect(await isOver(true)).toBe(true);
  });
});
