import { expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import { allOf } from '../record/archive/all-of.ts';
import { listed } from './raw-workflows.ts';

const loadedDataConverter = { payloadConverter: defaultPayloadConverter, payloadCodecs: [] };

/** A server with a page for each workflow. */
function serverOf(...pages: readonly object[]): Client {
  const listWorkflowExecutions = async ({ nextPageToken }: { nextPageToken?: Uint8Array }) => {
    const page = nextPageToken?.[0] ?? 0;
    return { ...pages[page], nextPageToken: page + 1 < pages.length ? Buffer.from([page + 1]) : undefined };
  };
  const options = { namespace: 'default', loadedDataConverter };
  return { options, workflowService: { listWorkflowExecutions } } as unknown as Client;
}

it('a workflow with an undecodable memo is listed without it, and hides no other', async () => {
  const closedAt = Date.parse('2026-11-23T10:00:00Z');
  const unknown = { metadata: { encoding: Buffer.from('json/protobuf') }, data: Buffer.from('{}') };
  const cut = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"a":') };
  const server = serverOf(
    listed({ workflowId: 'a', runId: '1', closedAt, memo: { key: unknown } }),
    listed({ workflowId: 'b', runId: '2', closedAt, memo: { key: cut } }),
    listed({ workflowId: 'c', runId: '3', closedAt, memo: { key: defaultPayloadConverter.toPayload('k') } }),
  );
  const found = await allOf(listWorkflows(server, { query: '' }));
  expect(
    found.map(({ workflowId, memo, closeTime }) => [workflowId, memo ?? {}, closeTime?.getTime()]),
  ).toEqual([
    ['a', {}, closedAt],
    ['b', {}, closedAt],
    ['c', { key: 'k' }, closedAt],
  ]);
});
