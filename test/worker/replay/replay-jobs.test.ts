import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowBundle } from '@temporalio/worker';
import { bundleWorkflows } from '../../../worker/bundle.ts';
import { type ReplayedJob, replayJobs } from '../../../worker/replay/replay-jobs.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'replay', 'histories');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const historyOf = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

let workflowBundle: WorkflowBundle;
const replayed = new Map<string, ReplayedJob>();

beforeAll(async () => {
  workflowBundle = await bundleWorkflows();
  const jobs = files.map((file) => ({ workflowId: file, runs: [historyOf(file)] }));
  for await (const job of replayJobs(jobs, { workflowBundle })) replayed.set(job.workflowId, job);
});

describe('the ledger of every recorded history', () => {
  it.each(files)('%s', (file) => {
    const { entries, error } = replayed.get(file)!;
    expect(error).toBeUndefined();
    for (const [index, { seq, from }] of entries.entries()) {
      expect(seq).toBe(index + 1);
      if (index > 0) expect(from).toBe(entries[index - 1]!.to);
    }
  });
});
