import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { findBundle } from '../../worker/bundle.ts';

/**
 * Histories of real jobs, as `temporal workflow show -o json` exports them (record.ts made them), run again through the
 * present code: it must want the same things in the same order, or live jobs would break when it is rolled out.
 */

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

let workflowBundle: WorkflowBundleOption;
/** Of each file; undefined if its history replays. */
const errors = new Map<string, Error | undefined>();

beforeAll(async () => {
  workflowBundle = await findBundle(undefined, new DefaultLogger('ERROR'));
  const histories = files.map((file) => ({ workflowId: file, history: historyOf(file) }));
  // One worker for all of them: each takes longer to start than most histories to replay.
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    errors.set(workflowId, error);
});

const historyOf = (file: string) => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as History;

interface History {
  readonly events: { readonly eventType: string }[];
}

describe('the recorded histories', () => {
  it.each(files)('replay: %s', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });

  it('cover every way in which a job can end', () => {
    const names = files.map((file) => file.replace('.json', ''));
    for (const end of ['completed', 'failed', 'restarted', 'stopped', 'cancelled', 'refused', 'orphan']) {
      expect(names).toContain(end);
    }
  });

  it('fail to replay after a change of their commands', async () => {
    const history = historyOf('completed.json');
    const events = history.events.filter(
      ({ eventType }) => !eventType.includes('MEMO') && !eventType.includes('PROPERTIES'),
    );
    const renumbered = events.map((event, index) => ({ ...event, eventId: String(index + 1) }));
    await expect(
      Worker.runReplayHistory({ workflowBundle }, { ...history, events: renumbered }, 'altered'),
    ).rejects.toThrow();
  });
});
