import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { untilStatus } from './attempts.ts';
import { readCase } from './cases.ts';
import { openStage, type Stage } from './stage.ts';

/** Pods that fail before their program begins, or cannot begin, and what is said of them. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const submit = async (name: string): Promise<JobHandle> =>
  stage.client.submit(await readCase(name, stage.namespace));

async function linesOf(job: JobHandle, options: Parameters<JobHandle['logs']>[0] = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of job.logs(options)) lines.push(text);
  return lines;
}

it('the command `logs` names a failed init container, followed or not', async () => {
  const job = await submit('logs-of-failed-start/initnever');
  await expect(job.wait()).resolves.toMatchObject({ phase: 'Failed' });
  for (const follow of [false, true]) {
    await expect(linesOf(job, { follow })).rejects.toMatchObject({
      message:
        'initnever-worker-0 failed before its program began: its init container download failed with code 9; initnever is Failed.',
      remedy: expect.stringContaining('-c download` prints the log of that container.'),
    });
  }
  expect(await linesOf(job, { container: 'download' })).toEqual(['no such bucket: s3://x']);
});

it('the command `logs` does not suggest the clean-up policy that is already set, for a job past its backoff limit', async () => {
  const job = await submit('logs-advice/sidecarcrash');
  const { phase, cause } = await job.wait();
  expect({ phase, reason: cause?.reason }).toEqual({ phase: 'Failed', reason: 'BackoffLimitExceeded' });
  expect(cause?.message).toContain('log-shipper');
  await expect(linesOf(job)).rejects.toMatchObject({
    remedy: expect.stringContaining(
      'cleanPodPolicy: None keeps pods that have ended; a job that ends with BackoffLimitExceeded removes those that still run.',
    ),
  });
});

it('a command that the image does not have is named by the outcome and by `logs`, followed or not', async () => {
  const job = await submit('python4/python4');
  const outcome = await job.wait();
  expect(outcome).toMatchObject({
    ...{ phase: 'Failed', reason: 'PodFailed', cause: { podReason: 'StartError', container: 'pytorch' } },
    remedy:
      'The image has no `python4`: correct command and args of container pytorch, or use an image that has it.',
  });
  for (const follow of [false, true]) {
    await expect(linesOf(job, { follow })).rejects.toMatchObject({
      code: 'NoLog',
      message: expect.stringMatching(
        /^python4-worker-0 could not be started: container pytorch ended with StartError: exec: "python4": /,
      ),
    });
  }
});

it('a pod without its ResourceClaimTemplate has that as its cause of waiting', async () => {
  const job = await submit('resource-claim/claims');
  const { warnings, cause, phase } = await untilStatus(job, 'it names the template', (status) =>
    JSON.stringify(status.cause ?? {}).includes('gpu-template'),
  );
  expect({ phase, warnings }).toEqual({ phase: 'Pending', warnings: [] });
  expect(cause?.message).toContain(
    'needs a ResourceClaim of the ResourceClaimTemplate gpu-template, which may not exist',
  );
  await job.stop();
  await job.wait();
});
