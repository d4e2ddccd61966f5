import { expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { removeObjects } from '../../../activities/objects/remove-objects.ts';
import type { Dependencies } from '../../../activities/support/dependencies.ts';
import { Semaphore } from '../../../activities/support/semaphore.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { aManifest } from '../../frameworks/manifests.ts';
import { aPod, ended } from '../../watcher/fixtures.ts';

/** Cleans up after a job that keeps its pods. Returns what was deleted, and what was written to the anchor. */
async function cleanedUp(pods: readonly Pod[]) {
  const [deleted, patched]: [string[], object[]] = [[], []];
  const cluster = {
    list: async ({ kind }: { kind: string }) => ({ metadata: {}, items: kind === 'Pod' ? pods : [] }),
    find: async () => undefined,
    now: () => Date.now(),
    delete: async (_: unknown, __: unknown, name: string) => void deleted.push(name),
    patch: async (_: unknown, __: unknown, { metadata }: Pick<Pod, 'metadata'>) =>
      void patched.push(metadata.annotations ?? {}),
  };
  const evidenceStore = { write: async () => undefined };
  const tools = { cluster, evidenceStore, connections: 4, bulk: new Semaphore(4), installation: 'ours' };
  const context = { info: { attempt: 1 }, cancellationSignal: new AbortController().signal };
  const job = aManifest().with('metadata.name', 'resnet').job();
  const request = { job, anchorUid: 'anchor-1', gang: 'none', scope: 'None' } as const;
  await asyncLocalStorage.run(context as unknown as Context, () =>
    removeObjects(tools as unknown as Dependencies, request),
  );
  return { deleted, patched };
}

const containerStatuses = [ended('pytorch', 0), { name: 'mesh', ready: true, state: { running: {} } }];

it('that a pod was deleted whose program had ended while others ran on is recorded, for who asks for its log', async () => {
  const outlived = aPod({ restartPolicy: 'Never', status: { phase: 'Running', containerStatuses } as never });
  expect(await cleanedUp([outlived])).toEqual({
    deleted: ['resnet-worker-0'],
    patched: [{ 'signalbox.dev/removed-outlived': 'true' }],
  });
  expect(await cleanedUp([aPod({ status: { phase: 'Succeeded' } })])).toEqual({ deleted: [], patched: [] });
});
