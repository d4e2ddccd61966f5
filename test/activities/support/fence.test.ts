import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { ActivityCancelledError, ActivityNotFoundError, type Client } from '@temporalio/client';
import { fenceBy } from '../../../activities/support/fence.ts';
import { FencedError } from '../../../cluster/errors.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  jest.useRealTimers();
});

/** An activity of a worker whose Temporal answers so. */
function anActivity(answer: () => Promise<void>) {
  let asked = 0;
  const temporal = {
    withDeadline: (_: number, ask: () => Promise<void>) => ask(),
    activity: {
      heartbeat: () => {
        asked++;
        return answer();
      },
    },
  } as unknown as Client;
  const info = { taskToken: new Uint8Array([1]), currentAttemptScheduledTimestampMs: Date.now() };
  const fence = fenceBy(temporal);
  const context = { info } as unknown as Context;
  return {
    write: () => asyncLocalStorage.run(context, fence),
    asked: () => asked,
  };
}

const answers = async () => undefined;
const isAway = async () => {
  throw new Error('deadline exceeded');
};
const pass = (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000);

describe('an activity', () => {
  it('writes without a heartbeat just after Temporal has started it', async () => {
    const activity = anActivity(isAway);
    await expect(activity.write()).resolves.toBeDefined();
    expect(activity.asked()).toBe(0);
  });

  it('sends heartbeats while it works, and continues', async () => {
    const activity = anActivity(answers);
    await activity.write();
    for (let i = 0; i < 10; i++) {
      pass(5);
      await expect(activity.write()).resolves.toBeDefined();
    }
    expect(activity.asked()).toBe(10);
  });

  it('writes nothing after Temporal was unavailable for long', async () => {
    const activity = anActivity(isAway);
    await activity.write();
    pass(4);
    await expect(activity.write()).resolves.toBeDefined();
    pass(3);
    await expect(activity.write()).rejects.toThrow(FencedError);
  });

  it('sends a heartbeat before it writes after a pause of the process', async () => {
    const activity = anActivity(answers);
    await activity.write();
    pass(60);
    await expect(activity.write()).resolves.toBeDefined();
    expect(activity.asked()).toBe(1);
  });

  it('writes nothing after Temporal has given it to another worker', async () => {
    const activity = anActivity(async () => {
      throw new ActivityNotFoundError('gone');
    });
    await activity.write();
    pass(60);
    await expect(activity.write()).rejects.toThrow('another worker');
    await expect(activity.write()).rejects.toThrow('another worker');
    expect(activity.asked()).toBe(1);
  });

  it('continues while its cancellation is requested', async () => {
    const activity = anActivity(async () => {
      throw new ActivityCancelledError('cancelled');
    });
    await activity.write();
    pass(60);
    await expect(activity.write()).resolves.toBeDefined();
  });

  it('does not send a write that waited too long for a connection', async () => {
    const check = await anActivity(isAway).write();
    expect(check).not.toThrow();
    pass(7);
    expect(check).toThrow(FencedError);
  });
});
