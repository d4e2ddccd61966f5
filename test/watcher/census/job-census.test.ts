import { expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { encodeUnifiedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { takeJobCensus } from '../../../watcher/census/job-census.ts';

const { WorkflowExecutionInfo } = proto.temporal.api.workflow.v1;

interface Visible {
  readonly namespace: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly attempt?: number;
  readonly labels?: string[];
  readonly startedAt?: number;
}

const { kind, name, namespace, phase, reason, attempt, labels } = SEARCH_ATTRIBUTES;

const attributesOf = (job: Visible) =>
  encodeUnifiedSearchAttributes(undefined, [
    { key: kind, value: 'PyTorchJob' },
    { key: name, value: 'resnet' },
    { key: namespace, value: job.namespace },
    { key: phase, value: job.phase ?? 'Running' },
    { key: reason, value: job.reason ?? null },
    { key: attempt, value: job.attempt ?? 1 },
    { key: labels, value: job.labels ?? null },
  ]);

/** A server with these open jobs, which answers each query with all of them. */
function aServer(
  jobs: readonly Visible[],
  asked: string[] = [],
  payloadCodecs: readonly Pick<PayloadCodec, 'decode'>[] = [],
): Client {
  const executions = jobs.map((job, index) =>
    WorkflowExecutionInfo.create({
      ...{ type: { name: 'trainingJob' }, taskQueue: 'signalbox', status: 1 },
      execution: { workflowId: `job/${index}`, runId: 'run-1' },
      startTime: msToTs(job.startedAt ?? 0),
      searchAttributes: { indexedFields: attributesOf(job) },
      memo: { fields: { anchorUid: defaultPayloadConverter.toPayload('uid-1') } },
    }),
  );
  const listWorkflowExecutions = async ({ query }: { readonly query: string }) => {
    asked.push(query);
    return { executions };
  };
  const loadedDataConverter = { payloadConverter: defaultPayloadConverter, payloadCodecs };
  return {
    options: { namespace: 'default', loadedDataConverter },
    workflowService: { listWorkflowExecutions },
  } as unknown as Client;
}

it('counts open jobs by namespace, kind, phase and reason', async () => {
  const asked: string[] = [];
  const unschedulable = { phase: 'Pending', reason: 'Unschedulable' };
  const server = aServer(
    [{ namespace: 'ml' }, { namespace: 'ml' }, { namespace: 'nlp', ...unschedulable }],
    asked,
  );
  const { jobs } = await takeJobCensus(server, { taskQueue: 'queue' });
  expect(jobs.values()).toEqual([
    { labels: { job_namespace: 'ml', kind: 'PyTorchJob', phase: 'Running', reason: 'none' }, value: 2 },
    { labels: { job_namespace: 'nlp', kind: 'PyTorchJob', ...unschedulable }, value: 1 },
  ]);
  expect(asked).toEqual([
    "WorkflowType = 'trainingJob' AND ExecutionStatus = 'Running' AND TaskQueue = 'queue'",
  ]);
});

it('counts teams by the label that names them', async () => {
  const server = aServer([
    { namespace: 'ml', labels: ['example.com/team=vision', 'app=x'] },
    { namespace: 'ml', labels: ['app=x'] },
  ]);
  const { teams } = await takeJobCensus(server, { taskQueue: 'signalbox', teamLabel: 'example.com/team' });
  expect(teams.values()).toEqual([
    { labels: { team: 'vision', phase: 'Running' }, value: 1 },
    { labels: { team: 'none', phase: 'Running' }, value: 1 },
  ]);
  expect((await takeJobCensus(server, { taskQueue: 'signalbox' })).teams.values()).toEqual([]);
});

it('knows since when the oldest job waits that has never run', async () => {
  const pending = { namespace: 'ml', phase: 'Pending' };
  const server = aServer([
    { ...pending, startedAt: 20_000 },
    { ...pending, startedAt: 10_000 },
    { ...pending, startedAt: 5_000, attempt: 2 },
    { namespace: 'ml', startedAt: 1_000 },
  ]);
  const { oldestPending } = await takeJobCensus(server, { taskQueue: 'signalbox' });
  expect([...oldestPending]).toEqual([['ml', 10]]);
});

it('has no series for each namespace of 10,000', async () => {
  const server = aServer(Array.from({ length: 10_000 }, (_, index) => ({ namespace: `team-${index}` })));
  const { jobs } = await takeJobCensus(server, { taskQueue: 'signalbox' });
  expect(jobs.values().length).toBe(201);
  expect(jobs.values().reduce((sum, { value }) => sum + value, 0)).toBe(10_000);
});

it('a watcher of some namespaces counts only their jobs, and trusts no phase or reason that it does not know', async () => {
  const odd = { phase: 'Odd', reason: 'Odder' };
  const server = aServer([{ namespace: 'ml', ...odd }, { namespace: 'nlp' }, { namespace: 'vision' }]);
  const { jobs } = await takeJobCensus(server, { taskQueue: 'signalbox', namespaces: ['ml', 'nlp'] });
  expect(jobs.values()).toEqual([
    { labels: { job_namespace: 'ml', kind: 'PyTorchJob', phase: 'Pending', reason: 'none' }, value: 1 },
    { labels: { job_namespace: 'nlp', kind: 'PyTorchJob', phase: 'Running', reason: 'none' }, value: 1 },
  ]);
});

it('decrypts nothing of the jobs', async () => {
  let decoded = 0;
  const decode: PayloadCodec['decode'] = async (payloads) => {
    decoded += payloads.length;
    return payloads;
  };
  const server = aServer([{ namespace: 'ml' }], [], [{ decode }]);
  const { jobs } = await takeJobCensus(server, { taskQueue: 'signalbox' });
  expect([jobs.values().length, decoded]).toEqual([1, 0]);
});
