import { describe, expect, it } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { replayJobs } from '../../../worker/replay/replay-jobs.ts';
import type { ReplayableRun } from '../../../worker/replay/replayable-run.ts';
import type { JobHistories, ReplayedJob } from '../../../worker/replay/replayer.ts';
import { recordedHistory } from '../../replay/recorded-histories.ts';

async function replay(...jobs: JobHistories[]): Promise<ReplayedJob[]> {
  const replayed: ReplayedJob[] = [];
  for await (const job of replayJobs(jobs)) replayed.push(job);
  return replayed;
}

const EXAMINED = recordedHistory('examined');
const jobOf = (workflowId: string, ...runs: ReplayableRun[]) => ({ workflowId, runs });

/** Like EXAMINED up to its first activity, which it never wanted. */
const ANOTHER_ACTIVITY = {
  events: EXAMINED.events.map((event) =>
    JSON.parse(JSON.stringify(event).replaceAll('"admit"', '"something"')),
  ),
};

describe('replaying histories', () => {
  it('gives the same result for a decoded history and for its JSON', async () => {
    const [fromJson, decoded] = await replay(
      jobOf('examined', EXAMINED),
      jobOf('examined', historyFromJSON(EXAMINED)),
    );
    expect(fromJson!.entries).toHaveLength(10);
    expect(decoded).toEqual(fromJson);
  });

  it('returns what the machine received and decided', async () => {
    const [job] = await replay(jobOf('examined', EXAMINED));
    expect(job!.steps.map(({ type, number, to }) => [type, number, to]).slice(0, 3)).toEqual([
      ['begin', 1, 'Pending.Creating'],
      ['event', 2, 'Pending.Scheduling'],
      ['event', 3, 'Running'],
    ]);
    expect(job!.steps[3]).toMatchObject({
      type: 'event',
      event: { type: 'digest' },
      from: 'Running',
      to: 'Restarting.Capturing',
      effects: [{ type: 'capture' }],
    });
  });

  it('continues after a history that does not replay, with an error about it', async () => {
    const [faulty, sound] = await replay(jobOf('faulty', ANOTHER_ACTIVITY), jobOf('sound', EXAMINED));
    expect([faulty!.workflowId, faulty!.error?.message]).toEqual([
      'faulty',
      expect.stringMatching(/^Replay failed with a nondeterminism error/),
    ]);
    expect([sound!.error, sound!.entries.length]).toEqual([undefined, 10]);
  });

  it.each([undefined, {}, { events: [] }, { events: 7 }])('refuses %j as a history', async (given) => {
    const [job] = await replay(jobOf('none', given as never));
    expect(job!.error?.message).toBe('expected the history of a workflow, {"events": [...]}, got no events');
  });

  it('returns of an open history what its workflow tasks had processed, wherever it is cut', async () => {
    const lengths = EXAMINED.events.map((_, index) => index + 1);
    const cuts = lengths.map((length) => jobOf(String(length), { events: EXAMINED.events.slice(0, length) }));
    const jobs = await replay(...cuts);
    const whole = jobs.at(-1)!.entries;
    for (const { entries, error } of jobs) {
      expect(error).toBeUndefined();
      expect(entries).toEqual(whole.slice(0, entries.length));
    }
    const tasks = EXAMINED.events.flatMap(({ eventType }, index) =>
      eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED' ? [index + 1] : [],
    );
    const growsAt = lengths.filter(
      (length) => jobs[length - 1]!.entries.length > (jobs[length - 2]?.entries.length ?? 0),
    );
    expect(tasks).toEqual(expect.arrayContaining(growsAt));
  });

  it('invents nothing for a workflow that was terminated first', async () => {
    const running = EXAMINED.events.findIndex(({ eventType }) => eventType.endsWith('EXECUTION_SIGNALED'));
    const terminated = {
      eventId: String(running + 2),
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED',
      workflowExecutionTerminatedEventAttributes: { reason: 'a test' },
    };
    const events = [...EXAMINED.events.slice(0, running + 1), terminated];
    const [job] = await replay(jobOf('terminated', { events }));
    expect(job!.entries.at(-1)?.to).toBe('Pending.Scheduling');
  });
});
