import { beforeEach, describe, expect, it } from '@jest/globals';
import * as activities from '../../workflows/activity-options.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

/** They write nothing that could arrive too late. */
const HARMLESS: ReadonlySet<string> = new Set(['amend', 'revise', 'askWatcher']);
/** As much of a request as the summary of some activity needs. */
const REQUEST = { status: {}, replicas: {}, scope: 'All' };
const ALL = Object.entries(activities) as [string, (request: never) => Promise<unknown>][];

let flow: WorkflowHost;

beforeEach(async () => {
  flow = await startIdleWorkflow();
});

describe('a cancelled activity', () => {
  it.each(ALL.filter(([name]) => !HARMLESS.has(name)))(
    'is awaited, because it writes: %s',
    async (_, run) => {
      await flow.starts(() => run(REQUEST as never));
      expect(flow.activities.map(({ waitsForCancellation }) => waitsForCancellation)).toEqual([true]);
    },
  );

  it.each(ALL.filter(([name]) => HARMLESS.has(name)))('is not awaited: %s', async (_, run) => {
    await flow.starts(() => run(REQUEST as never));
    expect(flow.activities.map(({ waitsForCancellation }) => waitsForCancellation)).toEqual([false]);
  });
});
