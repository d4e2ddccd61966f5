import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobOutcome } from '../../contracts/status.ts';
import { type LocalJobOptions, localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** What real processes say before they end decides what their failure is. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

type Options = Pick<LocalJobOptions, 'name' | 'script' | 'runPolicy' | 'container'>;

async function outcomeOf(options: Options, policy: object): Promise<JobOutcome> {
  const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
  const manifest = localJob({ namespace: stage.namespace, ...options });
  const job = await stage.client.submit(withPolicy(manifest, { restart, ...policy }));
  return job.wait();
}

const CORRUPT = {
  rules: [{ class: 'badData', pattern: 'corrupt(ed)? record (\\d+)' }],
  classes: { badData: { final: true } },
};

describe('a pattern', () => {
  it.concurrent('in the last lines of the log makes the failure final', async () => {
    const script = 'echo reading; echo "corrupt record 17" >&2; echo giving up; exit 1';
    const outcome = await outcomeOf({ name: 'corrupt', script }, { failures: CORRUPT });
    expect(outcome).toMatchObject({
      phase: 'Failed',
      attempt: 1,
      restarts: 0,
      cause: {
        reason: 'FinalFailure',
        pod: 'corrupt-master-0',
        exitCode: 1,
        rule: expect.stringContaining('failures.classes.badData.final: true'),
      },
    });
    expect(outcome.evidence).toMatchObject([{ pod: 'corrupt-master-0', matches: [0] }]);
    expect(await stage.pods('corrupt')).toEqual([]);
  });

  it.concurrent('in the termination message makes it final without a log', async () => {
    const script = 'echo "corrupt record 17"; exit 1';
    const container = { terminationMessagePolicy: 'FallbackToLogsOnError' };
    const outcome = await outcomeOf(
      { name: 'message', script, container },
      { failures: CORRUPT, evidence: { logLines: 0 } },
    );
    expect(outcome).toMatchObject({ phase: 'Failed', restarts: 0, cause: { reason: 'FinalFailure' } });
  });

  it.concurrent('that is not found does not change the class of the failure', async () => {
    const script = 'if [ "$SIGNALBOX_ATTEMPT" = 2 ]; then exit 0; fi; echo "record 17 is fine"; exit 1';
    const outcome = await outcomeOf({ name: 'fine', script }, { failures: CORRUPT });
    expect(outcome).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
  });

  it.concurrent('before the last lines is not found', async () => {
    const lines = 'echo "corrupt record 17"; echo a; echo b';
    const script = `if [ "$SIGNALBOX_ATTEMPT" = 2 ]; then exit 0; fi; ${lines}; exit 1`;
    const outcome = await outcomeOf(
      { name: 'forgotten', script },
      { failures: CORRUPT, evidence: { logLines: 2 } },
    );
    expect(outcome).toMatchObject({ phase: 'Completed', attempt: 2 });
  });

  it.concurrent('can assign a failure to infrastructure, whatever the exit code', async () => {
    const script =
      'if [ "$SIGNALBOX_ATTEMPT" = 3 ]; then exit 0; fi; echo "NCCL watchdog: timed out"; exit 1';
    const failures = {
      rules: [{ class: 'infrastructure', pattern: 'NCCL.*timed? ?out', roles: ['Master'] }],
      classes: { infrastructure: { free: true } },
    };
    const outcome = await outcomeOf({ name: 'nccl', script, runPolicy: { backoffLimit: 0 } }, { failures });
    expect(outcome).toMatchObject({ phase: 'Completed', attempt: 3, restarts: 2 });
  });
});
