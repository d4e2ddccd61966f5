import { expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { signalWorkflow } from '../../../watcher/digest/signal-workflow.ts';
import { aDigest } from '../../machines/builders.ts';
import { anAnchor } from '../fixtures.ts';

/** Workflows by id, with the anchors that are their own. */
function aTemporal(anchors: Readonly<Record<string, string>>) {
  const signalled: string[] = [];
  const getHandle = (workflowId: string) => ({
    workflowId,
    describe: async () => ({ type: 'trainingJob', memo: { anchorUid: anchors[workflowId] } }),
    signal: async () => void signalled.push(workflowId),
  });
  const pass = <T>(_: unknown, work: () => T) => work();
  const client = { workflow: { getHandle }, withAbortSignal: pass, withDeadline: pass };
  const send = signalWorkflow(client as unknown as Client, new AbortController().signal);
  return {
    signalled,
    send: (workflowId: string) => send(anchorFacts(anAnchor({ workflowId }))!, aDigest(1).build()),
  };
}

it('an anchor that now names another job’s workflow does not signal it', async () => {
  const { signalled, send } = aTemporal({ 'by-hand': 'anchor-1', 'of-others': 'anchor-2' });
  expect(await send('by-hand')).toBe('delivered');
  expect(await send('of-others')).toBe('gone');
  expect(signalled).toEqual(['by-hand']);
});
