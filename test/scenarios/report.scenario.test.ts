import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { parseHTML } from 'linkedom';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { commandLine } from '../cli/in-process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { untilAttempt } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** Reports of real jobs, as `signalbox report` writes them. */

let on: ArchiveStage;
let folder: string;
let job: JobHandle;

beforeAll(async () => {
  on = await openArchiveStage();
  await on.engine().start(on.settings);
  folder = await mkdtemp(join(tmpdir(), 'signalbox-report-'));
  job = await start('reported');
});

afterAll(async () => {
  await on?.close();
  if (folder) await rm(folder, { recursive: true });
});

async function start(name: string): Promise<JobHandle> {
  const manifest = simulatedJob({
    ...{ name, namespace: on.stage.namespace, worker: { replicas: 2 } },
    limits: { 'nvidia.com/gpu': 1 },
  });
  const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
  const submitted = await on.client.submit(withPolicy(manifest, { restart }), { why: 'for its report' });
  await untilPhase(submitted, 'Running');
  return submitted;
}

const run = (...args: string[]) =>
  commandLine(['report', ...args], {
    env: { ...on.settings, SIGNALBOX_EVIDENCE_DIR: sandboxLayout(on.stage.sandbox.dir).evidence },
  });

/** The archive alone: no server and no evidence store is there. */
const runArchived = (...args: string[]) =>
  commandLine(['report', '--archived', ...args], {
    env: { ...on.settings, TEMPORAL_ADDRESS: '127.0.0.1:1', SIGNALBOX_EVIDENCE_DIR: '/nowhere' },
  });

const pageIn = (text: string) => parseHTML(text).document;
type ReportPage = ReturnType<typeof pageIn>;

const textOf = (page: ReportPage, selector: string): string =>
  String(page.querySelector(selector)?.textContent).replaceAll(/\s+/g, ' ');
const section = (page: ReportPage, id: string) => textOf(page, `section[aria-labelledby="${id}"]`);

/** Records of failed pods are in the evidence store, and in the archive. */
const withoutPlaces = (text: string) => text.replaceAll(/Whole record: \S+/g, '');

describe('signalbox report', () => {
  it('shows the known facts of a running job', async () => {
    const { code, stdout, stderr } = await run('reported', '--out', '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const page = pageIn(stdout);
    expect(textOf(page, 'header')).toMatch(
      /reported Running as of .*for its report.*Has taken.*Attempts1 0 restarts/,
    );
    expect(section(page, 'timeline')).toContain('Pods are recorded when their attempt ends');
    expect(section(page, 'attempts')).toContain('not ended');
  });

  it('shows attempts, the failure with evidence, requests and the whole ledger of an ended job', async () => {
    await on.stage.endPod('reported-worker-1', { exitCode: 9 });
    await untilAttempt(job, 2);
    await untilPhase(job, 'Running');
    await job.suspend({ by: 'ana', why: 'maintenance' });
    await untilPhase(job, 'Suspended');
    await job.resume({ by: 'bo' });
    await untilAttempt(job, 3);
    await untilPhase(job, 'Running');
    await on.stage.endPod('reported-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');

    const file = join(folder, 'reported.html');
    const { code, stdout, stderr } = await run('reported', '--out', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^\/.*\/reported\.html \(\d+ kB\)\n$/);
    const page = pageIn(await readFile(file, 'utf8'));
    expect(textOf(page, 'header')).toMatch(/reported Completed .*Took.*Attempts3 .*Failed pods1.*GPU-hours/);
    expect(section(page, 'timeline')).toContain('9 pods of all attempts as a table');
    expect(section(page, 'failures')).toMatch(
      /reported-worker-1.*exit code 9.*What followed.*Whole record: file:/,
    );
    expect(section(page, 'interventions')).toMatch(/suspend.*ana claimed.*maintenance.*resume.*bo claimed/);
    const entries = await job.history();
    expect(page.querySelectorAll('#entries tbody tr').length).toBe(entries.length);
    for (const { message } of entries)
      expect(section(page, 'ledger')).toContain(message.replaceAll(/\s+/g, ' '));
  });

  it('shows the same from the archive, without a server', async () => {
    await eventually('the job is archived', () =>
      on.archive.find({ namespace: on.stage.namespace, name: 'reported' }),
    );
    const { code, stdout, stderr } = await runArchived('reported', '--out', '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const archived = pageIn(stdout);
    const served = pageIn((await run('reported', '--out', '-')).stdout);
    for (const id of [
      'timeline',
      'time',
      'attempts',
      'failures',
      'waits',
      'interventions',
      'policy',
      'manifest',
      'ledger',
    ])
      expect(withoutPlaces(section(archived, id))).toBe(withoutPlaces(section(served, id)));
    expect(textOf(archived, 'footer')).toMatch(/Read from file:\/\/.*\/reported-/);
  });

  it('fails with a message if it cannot write', async () => {
    const { code, stderr } = await run('reported', '--out', join(folder, 'none', 'reported.html'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: The report cannot be written to .*ENOENT.*\nName another file with --out, or - for/,
    );
  });

  it('fails for an unknown job', async () => {
    expect(await run('nobody', '--out', '-')).toMatchObject({ code: 3, stdout: '' });
  });
});
