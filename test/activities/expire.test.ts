import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { expect, it } from 'vitest';
import { expire } from '../../activities/expire.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { anAnchor } from '../watcher/fixtures.ts';

/** The anchor of a job that says that it has ended and has expired; anybody may have written that. */
const ANCHOR = anAnchor({ job: 'resnet', namespace: 'ml', phase: 'Completed', firstRunId: 'run-1' });
const REQUEST = {
  namespace: 'ml',
  anchorName: ANCHOR.metadata.name,
  anchorUid: ANCHOR.metadata.uid ?? '',
};

interface Workflow {
  readonly status: string;
  readonly firstRunId?: string;
  readonly memo?: Readonly<Record<string, string>>;
}

async function expireWith(workflow: Workflow | undefined) {
  const deleted: string[] = [];
  const cluster = {
    find: async () => ANCHOR,
    list: async () => ({ metadata: {}, items: [] }),
    delete: async (_: unknown, __: unknown, name: string) => deleted.push(name),
  };
  const describe = async () => {
    if (!workflow) throw new WorkflowNotFoundError('gone', 'job', undefined);
    const { status, firstRunId = 'run-1', memo } = workflow;
    return { status: { name: status }, memo, raw: { workflowExecutionInfo: { firstRunId } } };
  };
  const tools = { cluster, temporal: { workflow: { getHandle: () => ({ describe }) } }, connections: 4 };
  const context = { info: { attempt: 1 }, cancellationSignal: new AbortController().signal };
  const result = await asyncLocalStorage.run(context as unknown as Context, () =>
    expire(tools as unknown as Dependencies, REQUEST),
  );
  return { result, deleted };
}

it.each([
  ['has ended', { status: 'COMPLETED' }],
  ['is not known to Temporal any more', undefined],
  ['had an earlier run of the id', { status: 'RUNNING', firstRunId: 'run-2' }],
])('what a job left is deleted once its workflow %s', async (_, workflow) => {
  expect(await expireWith(workflow)).toEqual({ result: 'expired', deleted: [ANCHOR.metadata.name] });
});

it.each([
  ['runs', { status: 'RUNNING' }],
  [
    'runs, and names this anchor though that names another run',
    { status: 'RUNNING', firstRunId: 'run-2', memo: { anchorUid: REQUEST.anchorUid } },
  ],
])('a job stays whose workflow %s', async (_, workflow) => {
  expect(await expireWith(workflow)).toEqual({ result: 'alive', deleted: [] });
});
