import { expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { expire } from '../../activities/expire.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { aVisibilityOf } from '../temporal/visibility.ts';
import { anAnchor } from '../watcher/fixtures.ts';

type Running = Parameters<typeof aVisibilityOf>[0];

async function expireWith(running: Running, workflowId?: string) {
  const anchor = anAnchor({ phase: 'Failed', installation: 'ours', workflowId });
  const deleted: string[] = [];
  const cluster = {
    find: async () => anchor,
    list: async () => ({ metadata: {}, items: [] }),
    delete: async (_: unknown, __: unknown, name: string) => {
      deleted.push(name);
      return anchor;
    },
  };
  const getHandle = (id: string) => ({
    describe: async () => {
      const found = running.find(([known]) => known === id);
      if (!found) throw new WorkflowNotFoundError('gone', id, undefined);
      return { workflowId: id, status: { name: 'RUNNING' }, memo: found[1], raw: {} };
    },
  });
  const temporal = { workflow: { getHandle }, ...aVisibilityOf(running) };
  const tools = { cluster, temporal, installation: 'ours', connections: 1 } as unknown as Dependencies;
  const { namespace = '', name: anchorName, uid: anchorUid = '' } = anchor.metadata;
  const context = { cancellationSignal: new AbortController().signal } as Context;
  const is = await asyncLocalStorage.run(context, () => expire(tools, { namespace, anchorName, anchorUid }));
  return { is, deleted };
}

it('deletes the anchor of a job that has ended', async () => {
  expect(await expireWith([])).toEqual({ is: 'expired', deleted: ['resnet.signalbox'] });
});

it.each([
  ['as its anchor names it', 'job/default/resnet', 'job/default/resnet'],
  ['under another id', 'by-hand', 'job/default/resnet'],
  ['and its anchor names none', 'job/default/resnet', ''],
])('keeps a running job, whatever its anchor says: its workflow runs %s', async (_, own, named) => {
  const running: Running = [[own, { anchorUid: 'anchor-1' }]];
  expect(await expireWith(running, named)).toEqual({ is: 'alive', deleted: [] });
});

it('ignores the workflow of a later job of the same name', async () => {
  const { is } = await expireWith([['job/default/resnet', { anchorUid: 'anchor-2' }]]);
  expect(is).toBe('expired');
});
