import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCase } from './cases.ts';
import { type LocalJobOptions, localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** The policy's classes hold also for programs that a kubelet restarts in place, as it does by default. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const submit = async ({ policy, ...options }: Omit<LocalJobOptions, 'namespace'> & { policy: object }) =>
  stage.client.submit(withPolicy(localJob({ ...options, namespace: stage.namespace }), policy));

describe('a program that is restarted in place', () => {
  it.concurrent('ends its job if it exits with a final code', async () => {
    const job = await stage.client.submit(
      await readCase('final-class-ignored-in-place/final42', stage.namespace),
    );
    const { phase, cause } = await job.wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'FinalFailure', exitCode: 42, container: 'pytorch' },
    });
    for await (const { containers } of job.evidence())
      expect(JSON.stringify(containers)).toContain('corrupt record');
    expect(await stage.pods('final42')).toEqual([]);
  });

  it.concurrent('ends its job if its coloured output matches a final pattern', async () => {
    const job = await stage.client.submit(
      await readCase('final-class-ignored-in-place/plain', stage.namespace),
    );
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Failed', cause: { reason: 'FinalFailure' } });
  });

  it.concurrent('ends its job by a pattern that only matches its second end', async () => {
    const job = await submit({
      name: 'second',
      script:
        'if [ -e /state/once ]; then echo corrupt record; else touch /state/once; echo hiccup; fi; exit 1',
      policy: {
        failures: {
          rules: [{ class: 'badData', pattern: 'corrupt record' }],
          classes: { badData: { final: true } },
        },
      },
    });
    const { phase, restarts } = await job.wait();
    expect({ phase, isRestarted: restarts > 0 }).toEqual({ phase: 'Failed', isRestarted: true });
  });

  it.concurrent('ends its job when the budget of its class is used up', async () => {
    const policy = { failures: { classes: { userCode: { budget: 1 } } } };
    const job = await submit({ name: 'budgeted', script: 'exit 3', policy });
    const { phase, cause, budgets } = await job.wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'FailureBudgetExceeded', exitCode: 3 },
    });
    expect(budgets?.userCode?.allowed).toBe(1);
  });
});
