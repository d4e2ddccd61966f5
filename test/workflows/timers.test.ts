import { beforeEach, describe, expect, it } from '@jest/globals';
import { condition } from '@temporalio/workflow';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { createDurableTimers } from '../../workflows/timers.ts';
import { START } from '../machines/machine-run.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type DurableTimers = ReturnType<typeof createDurableTimers>;

let flow: WorkflowHost;
let timers: DurableTimers;
let rung: JobEvent[];
/** Number of confirmations left. */
let confirmations: number;

const confirmed = async () => {
  await condition(() => confirmations > 0);
  confirmations--;
};
const confirm = () => flow.runs(() => confirmations++);

/** `deadlines`: in milliseconds from the start. */
const set = (deadlines: Readonly<Record<string, number>>) => {
  const absolute = Object.entries(deadlines).map(([name, at]) => [name, START + at]);
  return flow.runs(() => timers.set(Object.fromEntries(absolute)));
};
const ring = (name: string, at: number) => ({ type: 'deadline', name, at: START + at });

beforeEach(async () => {
  rung = [];
  confirmations = Number.POSITIVE_INFINITY;
  flow = await startIdleWorkflow();
  timers = await flow.runs(() => createDurableTimers((event) => rung.push(event), confirmed));
});

describe('a durable timer', () => {
  it('fires at its time, with its name', async () => {
    await set({ stall: 5_000, recovery: 3_000 });
    expect(flow.timers.map(({ name }) => name)).toEqual(['recovery', 'stall']);
    await flow.passes(4_999);
    expect(rung).toEqual([ring('recovery', 3_000)]);
    await flow.passes(1);
    expect(rung).toEqual([ring('recovery', 3_000), ring('stall', 5_000)]);
  });

  it('starts once for the same time, even after it has fired', async () => {
    await set({ stall: 5_000 });
    await set({ stall: 5_000, recovery: 9_000 });
    await flow.passes(5_000);
    await set({ stall: 5_000, recovery: 9_000 });
    expect(flow.commands).toEqual(['startTimer', 'startTimer']);
    expect(rung).toEqual([ring('stall', 5_000)]);
  });

  it.each([2_000, 8_000])('restarts if its time changes (to %i ms)', async (other) => {
    await set({ stall: 5_000 });
    await set({ stall: other });
    expect(flow.commands).toEqual(['startTimer', 'startTimer', 'cancelTimer']);
    await flow.passes(10_000);
    expect(rung).toEqual([ring('stall', other)]);
  });

  it('is cancelled when its deadline is removed', async () => {
    await set({ stall: 5_000, recovery: 6_000 });
    await set({ recovery: 6_000 });
    expect(flow.timers.map(({ name }) => name)).toEqual(['recovery']);
    await flow.passes(10_000);
    expect(rung).toEqual([ring('recovery', 6_000)]);
  });

  it('fires at once if its time is in the past', async () => {
    await flow.passes(10_000);
    await set({ stall: 5_000 });
    await flow.passes(1);
    expect(rung).toEqual([ring('stall', 10_001)]);
  });

  it('never fires early, even if the worker’s clock is behind', async () => {
    await set({ stall: 5_000 });
    flow.now += 4_000;
    await flow.fires(...flow.timers);
    expect(rung).toEqual([ring('stall', 5_000)]);
  });
});

describe('a durable timer that needs confirmation', () => {
  beforeEach(async () => {
    confirmations = 0;
    await set({ stall: 5_000 });
    await flow.passes(7_000);
  });

  it('fires when it is confirmed, with the time of the confirmation', async () => {
    expect(rung).toEqual([]);
    await flow.passes(1_000);
    await confirm();
    expect(rung).toEqual([ring('stall', 8_000)]);
  });

  it('does not fire if its deadline is removed meanwhile', async () => {
    await set({});
    await confirm();
    expect(rung).toEqual([]);
  });

  it('needs a new confirmation if its time changes', async () => {
    await set({ stall: 9_000 });
    await flow.passes(5_000);
    expect(rung).toEqual([]);
    await confirm();
    expect(rung).toEqual([ring('stall', 12_000)]);
  });
});
