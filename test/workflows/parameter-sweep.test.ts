import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import type { SweepProgress } from '../../contracts/parameter-sweep.ts';
import { parameterSweep } from '../../workflows/parameter-sweep.ts';
import { startWorkflow } from './workflow-host.ts';
import { cancellation } from './workflow-messages.ts';

const SWEEP = { manifest: {}, set: { lr: [1, 2, 3] } };
const PLANNED = { name: 'train', namespace: 'ml', trials: 3, atMost: 2, startedBy: 'ana@laptop' };
const NOTHING: SweepProgress = {
  ...{ next: 0, running: [], failures: [] },
  ended: { Completed: 0, Failed: 0, Stopped: 0, Refused: 0 },
};
const running = (...indexes: number[]) => indexes.map((index) => ({ index, runId: `run-${index}` }));
const TWO_RUN: SweepProgress = { ...NOTHING, next: 2, running: running(0, 1) };
const ALL_DONE: SweepProgress = { ...NOTHING, next: 3, ended: { ...NOTHING.ended, Completed: 3 } };

async function planned() {
  const flow = await startWorkflow(parameterSweep, { args: [SWEEP] });
  await flow.activity('planParameterSweep').completes(PLANNED);
  return flow;
}

describe('the workflow of a parameter sweep', () => {
  it('starts trials for whoever started it, looks again after a pause, and ends with its summary', async () => {
    const flow = await planned();
    expect(flow.activity('advanceParameterSweep').request).toEqual({
      progress: NOTHING,
      submittedBy: 'ana@laptop',
    });
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    expect(await flow.query('summary')).toMatchObject({
      phase: 'Running',
      running: 2,
      waiting: 1,
      trials: 3,
    });
    await flow.passes(1_000);
    expect(flow.activity('advanceParameterSweep').request).toMatchObject({ progress: TWO_RUN });
    await flow.activity('advanceParameterSweep').completes(ALL_DONE);
    expect(flow.ending).toMatchObject({
      type: 'completed',
      result: { phase: 'Completed', completed: 3, waiting: 0 },
    });
  });

  it('records its counts for lists, and only when they change', async () => {
    const flow = await planned();
    const recorded = () => flow.runs(() => workflowInfo().memo?.sweep);
    const updates = () => flow.commands.filter((kind) => kind === 'modifyWorkflowProperties').length;
    expect(await recorded()).toMatchObject({ name: 'train', phase: 'Running', waiting: 3, running: 0 });
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    expect(await recorded()).toMatchObject({ running: 2, waiting: 1 });
    await flow.passes(1_000);
    expect(updates()).toBe(2);
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    await flow.passes(1_000);
    expect(updates()).toBe(2);
    await flow.activity('advanceParameterSweep').completes(ALL_DONE);
    expect(await recorded()).toMatchObject({ phase: 'Completed', completed: 3, running: 0 });
  });

  it('fills free places without a pause', async () => {
    const flow = await planned();
    await flow.activity('advanceParameterSweep').completes({ ...NOTHING, next: 1, running: running(0) });
    expect(flow.timers).toEqual([]);
    expect(flow.activity('advanceParameterSweep').request).toMatchObject({ progress: { next: 1 } });
  });

  it('has Failed if a trial has, or could not be started', async () => {
    for (const phase of ['Failed', 'Refused', 'Stopped'] as const) {
      const flow = await planned();
      const ended = { ...NOTHING.ended, Completed: 2, [phase]: 1 };
      await flow.activity('advanceParameterSweep').completes({ ...ALL_DONE, ended });
      expect(flow.ending).toMatchObject({ result: { phase: 'Failed', completed: 2 } });
    }
  });

  it('passes a stop to the next round at once, and ends when no trial runs', async () => {
    const flow = await planned();
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    const stop = { by: 'eve', why: 'wrong data' };
    expect(await flow.asks('stop', stop)).toMatchObject({ isAccepted: true });
    expect(flow.activity('advanceParameterSweep').request).toMatchObject({ progress: TWO_RUN, stop });
    expect(await flow.query('summary')).toMatchObject({ phase: 'Stopping', stop });
    const ended = { ...NOTHING.ended, Stopped: 2 };
    await flow.activity('advanceParameterSweep').completes({ ...TWO_RUN, running: [], ended });
    expect(flow.ending).toMatchObject({ result: { phase: 'Stopped', stopped: 2, waiting: 1, stop } });
  });

  it('stops all when a trial has failed, if it is to, and names the trial', async () => {
    const flow = await startWorkflow(parameterSweep, { args: [{ ...SWEEP, stopOnFailure: true }] });
    await flow.activity('planParameterSweep').completes(PLANNED);
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    await flow.passes(1_000);
    const failures = [
      { name: 'train-9', phase: 'Refused', why: 'its name is taken' },
      { name: 'train-0', phase: 'Failed', why: 'exit code 1' },
    ] as const;
    const failed = { ...TWO_RUN, running: running(1), failures, ended: { ...NOTHING.ended, Failed: 1 } };
    await flow.activity('advanceParameterSweep').completes(failed);
    const stop = { trial: 'train-0', why: 'train-0 has failed, and the sweep stops on a failure.' };
    expect(flow.activity('advanceParameterSweep').request).toMatchObject({ stop });
    expect(await flow.query('summary')).toMatchObject({ phase: 'Stopping', stop });
    const ended = { ...NOTHING.ended, Failed: 1, Stopped: 1 };
    await flow.activity('advanceParameterSweep').completes({ ...failed, running: [], ended });
    expect(flow.ending).toMatchObject({ result: { phase: 'Failed', waiting: 1, stop } });
  });

  it('goes on after a failure, if nothing else was said', async () => {
    const flow = await planned();
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    await flow.passes(1_000);
    const failures = [{ name: 'train-0', phase: 'Failed', why: 'exit code 1' }] as const;
    const failed = { ...NOTHING, next: 3, running: running(1, 2), failures };
    await flow.activity('advanceParameterSweep').completes(failed);
    await flow.passes(1_000);
    expect(flow.activity('advanceParameterSweep').request).not.toHaveProperty('stop.why');
  });

  it('stops its trials if its workflow is cancelled', async () => {
    const flow = await planned();
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    await flow.receives(cancellation());
    expect(flow.activity('advanceParameterSweep').request).toMatchObject({
      stop: { why: expect.any(String) },
    });
  });

  it('looks less often at trials that run for long', async () => {
    const flow = await planned();
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    for (let looks = 0; looks < 200; looks++) {
      const [{ at } = { at: flow.now }] = flow.timers;
      await flow.passes(at - flow.now);
      await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    }
    expect(flow.timers[0]!.at - flow.now).toBe(60_000);
  });

  it('goes on in a new run with what it knows', async () => {
    const flow = await planned();
    flow.growsTo(4_096);
    await flow.activity('advanceParameterSweep').completes(TWO_RUN);
    expect(flow.ending).toMatchObject({
      type: 'continuedAsNew',
      args: [SWEEP, { planned: PLANNED, progress: TWO_RUN, submittedBy: 'ana@laptop' }],
    });
  });

  it('fails with the faults of its input', async () => {
    const flow = await startWorkflow(parameterSweep, { args: [SWEEP] });
    const failure = ApplicationFailure.nonRetryable('The sweep has an error.', 'InvalidManifest', {
      faults: [],
    });
    await flow.activity('planParameterSweep').fails(failure);
    expect(flow.ending).toMatchObject({ type: 'failed', error: { type: 'InvalidManifest' } });
  });
});

describe('a sweep of ten thousand trials', () => {
  const TRIALS = 10_000;
  const AT_MOST = 100;
  /** Temporal suggests a new run after 4,096 events; a round has eleven. */
  const ROUNDS_IN_A_RUN = 40;

  /** What a round finds when all trials that ran have ended. */
  function advanced({ next, ended }: SweepProgress): SweepProgress {
    const count = Math.min(AT_MOST, TRIALS - next);
    const started = Array.from({ length: count }, (_, offset) => next + offset);
    const Completed = ended.Completed + (next - ended.Completed);
    return { next: next + count, running: running(...started), ended: { ...ended, Completed }, failures: [] };
  }

  it('starts each once, in runs of a bounded length, with a state that does not grow', async () => {
    let flow = await startWorkflow(parameterSweep, { args: [SWEEP] });
    await flow.activity('planParameterSweep').completes({ ...PLANNED, trials: TRIALS, atMost: AT_MOST });
    const started: number[] = [];
    const sizes: number[] = [];
    let [runs, rounds, commands] = [1, 0, 0];
    while (flow.ending?.type !== 'completed') {
      const { progress } = flow.activity('advanceParameterSweep').request as { progress: SweepProgress };
      const next = advanced(progress);
      started.push(...next.running.map(({ index }) => index));
      sizes.push(JSON.stringify(next).length);
      rounds += 1;
      if (rounds % ROUNDS_IN_A_RUN === 0) flow.growsTo(4_096);
      await flow.activity('advanceParameterSweep').completes(next);
      if (flow.ending?.type === 'continuedAsNew') {
        commands = Math.max(commands, flow.commands.length);
        flow = await flow.nextRun();
        runs += 1;
      }
      const [timer] = flow.timers;
      if (timer) await flow.passes(timer.at - flow.now);
    }
    expect(started).toEqual(Array.from({ length: TRIALS }, (_, index) => index));
    expect(flow.ending).toMatchObject({ result: { phase: 'Completed', completed: TRIALS, waiting: 0 } });
    expect({ runs, rounds }).toEqual({ runs: 3, rounds: TRIALS / AT_MOST + 1 });
    expect(commands).toBeLessThanOrEqual(ROUNDS_IN_A_RUN * 3 + 2);
    expect(Math.max(...sizes)).toBeLessThan(1.2 * sizes[1]!);
  });

  it('believes its second argument only in a run that continues another one', async () => {
    const state = { planned: PLANNED, progress: ALL_DONE, submittedBy: 'the-director' };
    const given = await startWorkflow(parameterSweep, { args: [SWEEP, state] });
    expect(given.ending).toBeUndefined();
    await given.activity('planParameterSweep').completes(PLANNED);
    expect(given.activity('advanceParameterSweep').request).toEqual({
      ...{ progress: NOTHING, submittedBy: 'ana@laptop' },
    });
    const info = { continuedFromExecutionRunId: 'run-0' };
    const continued = await startWorkflow(parameterSweep, { args: [SWEEP, state], info });
    expect(continued.activity('advanceParameterSweep').request).toMatchObject({
      submittedBy: 'the-director',
    });
  });

  it.each([
    ['cron', { continuedFromExecutionRunId: 'run-0', cronSchedule: '@daily' }],
    ['a retry policy', { continuedFromExecutionRunId: 'run-0', attempt: 2 }],
  ])('is refused if %s of Temporal repeats it', async (_, info) => {
    const flow = await startWorkflow(parameterSweep, { args: [SWEEP], info });
    expect(flow.ending).toMatchObject({ type: 'failed' });
    expect(flow.activities).toEqual([]);
  });
});
