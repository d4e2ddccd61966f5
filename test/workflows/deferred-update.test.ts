import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { deferUntilSettled } from '../../workflows/deferred-update.ts';
import { startWorkflow, type WorkflowHost } from './workflow-host.ts';
import { cancellation, signal } from './workflow-messages.ts';

/** Receives words in one loop, acts on them in another, and answers with the words it has acted on so far. */
async function listener(): Promise<void> {
  const received: string[] = [];
  const known: string[] = [];
  const acted: string[] = [];
  setHandler(defineSignal<[string]>('word'), (word) => void received.push(word));
  const sendSignal = () => {
    if (acted.includes('fail')) throw ApplicationFailure.nonRetryable('it was asked to fail');
    return [...acted];
  };
  setHandler(defineUpdate<string[], [null]>('echo'), deferUntilSettled(sendSignal));
  setHandler(defineUpdate<string[]>('toldAtOnce'), sendSignal);
  await CancellationScope.nonCancellable(() => Promise.all([passOn(received, known), passOn(known, acted)]));
}

async function passOn(from: string[], to: string[]): Promise<never> {
  for (;;) {
    await condition(() => from.length > 0);
    to.push(from.shift()!);
  }
}

let flow: WorkflowHost;

beforeEach(async () => {
  flow = await startWorkflow(listener);
});

describe('a deferred update', () => {
  it('is handled after signals that arrived with it, and after their consequences', async () => {
    const { job, answer } = flow.update('echo');
    await flow.receives(signal('word', 'one'), signal('word', 'two'), job);
    expect(answer.result).toEqual(['one', 'two']);
  });

  it('is also handled after signals that arrived later in the same task', async () => {
    const { job, answer } = flow.update('echo');
    await flow.receives(job, signal('word', 'one'));
    expect(answer.result).toEqual(['one']);
  });

  it('has the same answer if it arrives alone', async () => {
    await flow.receives(signal('word', 'one'), signal('word', 'two'));
    expect((await flow.asks('echo')).result).toEqual(['one', 'two']);
  });

  it('differs from an update that is handled at once', async () => {
    const { job, answer } = flow.update('toldAtOnce');
    await flow.receives(signal('word', 'one'), job);
    expect(answer.result).toEqual([]);
  });

  it('is answered within the same workflow task, without a timer', async () => {
    const answer = await flow.asks('echo');
    expect(answer.isAccepted).toBe(true);
    expect(answer.result).toEqual([]);
    expect(flow.commands).not.toContain('startTimer');
  });

  it('is also answered by a cancelled workflow', async () => {
    const { job, answer } = flow.update('echo');
    await flow.receives(cancellation(), signal('word', 'one'), job);
    expect(answer.result).toEqual(['one']);
  });

  it('fails with the error of its handler', async () => {
    const { job, answer } = flow.update('echo');
    await flow.receives(signal('word', 'fail'), job);
    expect(answer.refusal?.message).toBe('it was asked to fail');
  });
});
