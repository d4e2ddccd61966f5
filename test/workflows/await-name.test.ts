import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Admission, NameAwaited } from '../../activities/admit.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { Cause } from '../../contracts/types.ts';
import { admitWhenNameIsFree } from '../../workflows/await-name.ts';
import { START } from '../machines/machine-run.ts';
import { anAdmission } from './admissions.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

const MINUTE = 60_000;
const ADMISSION = anAdmission();
const POD = { pod: 'resnet-worker-0', node: 'node-1' };

let flow: WorkflowHost;
/** The present answer to a request for admission. */
let answer: Admission | NameAwaited;
/** Time waited before each try, in seconds. */
let tries: number[];
let causes: Cause[];

const admit = async (waitedMs: number) => {
  tries.push(waitedMs / 1000);
  return answer;
};
const begin = () => flow.starts(() => admitWhenNameIsFree(admit, (cause) => void causes.push(cause)));
const isTakenBy = (...waitsFor: StuckPod[]) => {
  answer = { waitsFor };
};

beforeEach(async () => {
  [tries, causes] = [[], []];
  flow = await startIdleWorkflow();
});

describe('a job', () => {
  it('is admitted at once if its name is free', async () => {
    answer = ADMISSION;
    expect(await begin()).toEqual({ isOver: true, result: ADMISSION });
    expect(causes).toEqual([]);
  });

  it('waits for its name, and names the pods that it waits for', async () => {
    isTakenBy(POD);
    await begin();
    const message =
      'waiting for the name: an ended job still holds it; 1 pod that was asked to stop still exists (resnet-worker-0 on node node-1)';
    expect(causes).toEqual([{ ...POD, reason: 'PodsTerminating', message }]);
  });

  it('also waits while only other objects are left', async () => {
    isTakenBy();
    await begin();
    expect(causes[0]?.message).toBe(
      'waiting for the name: an ended job still holds it; its clean-up is not over',
    );
  });

  it('is admitted as soon as its name is free', async () => {
    isTakenBy(POD);
    const waiting = await begin();
    await flow.passes(1_000);
    answer = ADMISSION;
    await flow.passes(1_000);
    expect(waiting.result).toEqual(ADMISSION);
  });

  it('asks again after half the time it has waited, at least 1 s and at most 30 s', async () => {
    isTakenBy(POD);
    await begin();
    await flow.passes(3 * MINUTE);
    const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
    expect(pauses.slice(0, 5)).toEqual([1, 1, 1, 1.5, 2.25]);
    expect(pauses.at(-1)).toBe(30);
  });
});

describe('the wait for a name', () => {
  it('ends after ten minutes', async () => {
    isTakenBy(POD);
    const waiting = await begin();
    await flow.passes(10 * MINUTE - 1);
    expect(waiting.isOver).toBe(false);
    await flow.passes(MINUTE);
    expect(waiting.error).toMatchObject({ type: 'NameTaken', nonRetryable: true, details: [POD] });
  });

  it('ends ten minutes after the pods should have ended', async () => {
    isTakenBy({ ...POD, until: START + 5 * MINUTE });
    const waiting = await begin();
    await flow.passes(5 * MINUTE);
    isTakenBy(POD);
    await flow.passes(10 * MINUTE - 1);
    expect(waiting.isOver).toBe(false);
    await flow.passes(MINUTE);
    expect(waiting.error).toMatchObject({ type: 'NameTaken' });
  });

  it('ends with what a person has to look at', async () => {
    isTakenBy();
    const waiting = await begin();
    await flow.passes(11 * MINUTE);
    expect(waiting.error).toMatchObject({
      message: expect.stringContaining('but its clean-up is not over; repair or remove the node'),
      details: [{}],
    });
  });
});
