import { beforeEach, describe, expect, it } from '@jest/globals';
import { EFFECTS } from '../../machines/model/effects.ts';
import * as activities from '../../workflows/activity-options.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

/** They write nothing that could arrive too late. */
const HARMLESS: ReadonlySet<string> = new Set(['amend', 'revise', 'askWatcher']);
/** As much of a request as the summary of some activity needs. */
const REQUEST = { status: {}, replicas: {}, scope: 'All' };
const { longActivities, ...others } = activities;
const ofEffects = Object.entries(longActivities).filter(([name]) => name in EFFECTS);
const ALL = [...ofEffects, ...Object.entries(others)] as [string, (request: never) => Promise<unknown>][];

let flow: WorkflowHost;

beforeEach(async () => {
  flow = await startIdleWorkflow();
});

it('an activity is there for each effect, but for launch, which uses that of createAttempt', () => {
  expect(ofEffects.map(([name]) => name).sort()).toEqual(
    Object.keys(EFFECTS)
      .filter((name) => name !== 'launch')
      .sort(),
  );
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
