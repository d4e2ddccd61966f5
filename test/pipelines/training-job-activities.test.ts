import { expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { SubmitOptions } from '../../client/servers/client-settings.ts';
import { trainingJobActivities } from '../../pipelines/activity.ts';

/** An activity that is cancelled, or whose worker shuts down, when `end` is called. */
function anActivity() {
  const abort = new AbortController();
  const context = {
    info: { workflowExecution: { workflowId: 'pipeline', runId: 'run' }, activityId: '7' },
    cancellationSignal: abort.signal,
    cancellationDetails: undefined as { readonly cancelRequested: boolean } | undefined,
    heartbeat: () => undefined,
  };
  return {
    end: (details: { readonly cancelRequested: boolean }) => {
      context.cancellationDetails = details;
      abort.abort(new Error('the activity ends'));
    },
    run: <T>(work: () => Promise<T>) => asyncLocalStorage.run(context as never as Context, work),
  };
}

/** A client whose start of a job is answered after the activity was told to end. */
function aClient(whileStarting: () => void) {
  const asked: string[] = [];
  const job = {
    wait: async ({ signal }: { readonly signal?: AbortSignal } = {}) => {
      signal?.throwIfAborted();
      asked.push('wait');
    },
    stop: async () => void asked.push('stop'),
  };
  const submit = async (_manifest: object, options: SubmitOptions) => {
    whileStarting();
    // What the client does with these while its request is on its way.
    options.signal?.throwIfAborted();
    return job;
  };
  return { client: { submit } as never as Parameters<typeof trainingJobActivities>[0], asked };
}

test('a job that starts while its activity is cancelled is stopped, and its end is awaited', async () => {
  const activity = anActivity();
  const { client, asked } = aClient(() => activity.end({ cancelRequested: true }));
  const { runTrainingJob } = trainingJobActivities(client);
  await expect(activity.run(() => runTrainingJob({}))).rejects.toThrow('the activity ends');
  expect(asked).toEqual(['stop', 'wait']);
});

test('a job that starts while the worker shuts down keeps running for the next try', async () => {
  const activity = anActivity();
  const { client, asked } = aClient(() => activity.end({ cancelRequested: false }));
  const { runTrainingJob } = trainingJobActivities(client);
  await expect(activity.run(() => runTrainingJob({}))).rejects.toThrow('the activity ends');
  expect(asked).toEqual([]);
});
