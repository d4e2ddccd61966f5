import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attestedFromArchive, attestedFromServer } from '../../cli/attest/attested-job.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { archivedSource, planArchivedRerun } from '../../client/use-cases/archive/rerun-archived.ts';
import { comparedArchive } from '../../client/use-cases/compare/compared-job.ts';
import { archivedReport } from '../../client/use-cases/report/archived-report.ts';
import { Engine } from '../../demo/engine.ts';
import { valueAt } from '../../language/fields.ts';
import { archiveIn } from '../../record/archive/archive-reader.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { provenanceOf } from '../../record/attest/statement.ts';
import { compareJobs } from '../../record/compare/compare-jobs.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { type JobOptions, SUCCEEDS, simulatedJob } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilPhase } from './stage.ts';
import { openTemporalCli, startByHand, type TemporalCli } from './temporal-cli.ts';

/** Whatever way a job's workflow began, everything that reads its record reads it. */

let stage: ShortHistories;
let kubectl: Kubectl;
let bridge: Engine;
let temporal: TemporalCli;
let folder: string;
let store: FileArchiveStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-starts-'));
  store = new FileArchiveStore(join(folder, 'archive'));
  const archive = { SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: store.location };
  stage = await openShortHistories('up', archive);
  const sandbox = { ...stage.sandbox, temporalAddress: stage.temporalAddress };
  temporal = await openTemporalCli({ ...stage, sandbox });
  kubectl = await openKubectl(stage);
  await applyDefinitions(kubectl);
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}-bridge.log`);
  bridge = await new Engine('bridge', sandbox, { logFile }).start();
});

afterAll(async () => {
  await kubectl?.('delete', 'pytorchjobs', '--all');
  await bridge?.stop();
  await stage?.close();
  if (kubectl) await deleteDefinitions(kubectl);
  await rm(folder, { recursive: true, force: true });
});

const manifestOf = (name: string, options: Partial<JobOptions> = {}) =>
  simulatedJob({ name, namespace: stage.namespace, worker: false, ...options });

const DONE = { master: { annotations: SUCCEEDS } } as const;

const choiceOf = (name: string) => ({ workflowId: `job/${stage.namespace}/${name}` });

const job = (name: string): JobHandle => stage.client.job({ name });

const start = (name: string, manifest: unknown, options: object = {}) =>
  stage.temporal.workflow.start('trainingJob', {
    ...{ workflowId: `job/${stage.namespace}/${name}`, taskQueue: 'signalbox', args: [manifest] },
    ...options,
  });

async function submitted(name: string): Promise<JobHandle> {
  const handle = await stage.client.submit(manifestOf(name));
  await untilPhase(handle, 'Running');
  return handle;
}

const succeeds = (name: string) => stage.endPod(`${name}-master-0`, { exitCode: 0 });

/** A job that is asked for what it refuses, until its workflow continues in a new run. */
async function growsLong(handle: JobHandle): Promise<void> {
  const first = await stage.runOf(handle);
  while ((await stage.runOf(handle)) === first) await handle.hold({ seconds: 0, by: 'ana' });
}

/** A custom resource whose job is refused its anchor, and is edited meanwhile. */
async function editedResource(name: string, edits: readonly number[]): Promise<JobHandle> {
  await kubectl('create', 'quota', 'no-records', '--hard=configmaps=0');
  await kubectl.apply([manifestOf(name)]);
  for (const backoffLimit of edits) {
    await eventually('it is refused its anchor', async () => {
      const { cause } = await statusOf(job(name));
      return cause?.reason === 'QuotaExceeded';
    });
    const patch = JSON.stringify({ spec: { runPolicy: { backoffLimit } } });
    await kubectl('patch', 'pytorchjob', name, '--type=merge', '-p', patch);
    await eventually('its workflow begins anew', async () => {
      const manifest = await job(name).manifest();
      return valueAt(manifest, 'spec.runPolicy.backoffLimit') === backoffLimit;
    });
  }
  return job(name);
}

const TOO_DEEP = '(manifest): expected at most 200 levels of nesting, got more';

/** What is expected of the record of a job. */
interface Expected {
  readonly phase: string;
  /** In the recorded manifest. */
  readonly backoffLimit?: number;
  /** In the archive. */
  readonly missing?: readonly unknown[];
  readonly runs?: number;
  /** Temporal began more runs by itself, which did nothing. */
  readonly isRepeated?: boolean;
}

const STARTS: Readonly<Record<string, (name: string) => Promise<Expected>>> = {
  plain: async (name) => {
    await stage.client.submit(manifestOf(name, DONE));
    return { phase: 'Completed', runs: 1 };
  },
  'continued-twice': async (name) => {
    const handle = await submitted(name);
    await growsLong(handle);
    await growsLong(handle);
    await succeeds(name);
    return { phase: 'Completed' };
  },
  'begun-anew': async (name) => {
    const handle = await editedResource(name, [3]);
    await kubectl('delete', 'quota', 'no-records');
    await untilPhase(handle, 'Running');
    await succeeds(name);
    return { phase: 'Completed', backoffLimit: 3 };
  },
  'begun-anew-twice-and-continued': async (name) => {
    const handle = await editedResource(name, [3, 4]);
    await kubectl('delete', 'quota', 'no-records');
    await untilPhase(handle, 'Running');
    await growsLong(handle);
    await succeeds(name);
    return { phase: 'Completed', backoffLimit: 4 };
  },
  'begun-anew-and-stopped-before-its-admission': async (name) => {
    const handle = await editedResource(name, [5]);
    await handle.stop({ by: 'ana' });
    await handle.wait();
    await kubectl('delete', 'quota', 'no-records');
    return { phase: 'Stopped', backoffLimit: 5 };
  },
  'by-cron': async (name) => {
    const args = [manifestOf(name), { ledger: {}, job: {} }];
    const started = await start(name, manifestOf(name), { args, cronSchedule: '@every 1s' });
    await eventually(
      'its second run begins',
      async () => (await stage.runOf(job(name))) !== started.firstExecutionRunId,
    );
    await stage.temporal.workflow.getHandle(started.workflowId).terminate();
    return { phase: 'Failed', isRepeated: true };
  },
  'by-a-retry-policy': async (name) => {
    const retry = { initialInterval: '1s', maximumAttempts: 2 } as const;
    const started = await start(name, manifestOf(name), { retry, workflowRunTimeout: '5s' });
    await started.result().catch(() => undefined);
    return { phase: 'Stopped', isRepeated: true };
  },
  reset: async (name) => {
    const handle = await submitted(name);
    const reset = ['--type', 'FirstWorkflowTask', '--reason', 'a test'];
    await temporal('workflow', 'reset', '--workflow-id', handle.workflowId, ...reset);
    await untilPhase(job(name), 'Running');
    await succeeds(name);
    return { phase: 'Completed' };
  },
  'nested-deep': async (name) => {
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const workflowId = `job/${stage.namespace}/${name}`;
    await startByHand(temporal, { workflowId, input: [`{"kind": "PyTorchJob", "deep": ${nested}}`] });
    return { phase: 'Failed', missing: [`the manifest and its revisions: ${TOO_DEEP}`] };
  },
  'no-manifest': async (name) => {
    await start(name, 7);
    return { phase: 'Failed' };
  },
};

describe.each(Object.entries(STARTS))('a job that was started %s', (name, begin) => {
  it('is archived, and its record is read in every way', async () => {
    const expected = await begin(name);
    const archive = await eventually('it is archived', () => archiveIn(store).find(choiceOf(name)));
    expect(archive.job).toMatchObject({ status: { phase: expected.phase } });
    expect(archive.job.missing).toEqual(expected.missing);
    if (expected.runs) expect(archive.job.runs).toHaveLength(expected.runs);
    const handle = job(name);
    expect((await handle.report()).missing).toEqual(expected.missing ? [`the manifest: ${TOO_DEEP}`] : []);
    expect(await archivedReport(archive)).toMatchObject({ manifest: archive.job.manifest });
    if (expected.missing) return;
    const source = await handle.source();
    expect(valueAt(source.manifest, 'spec.runPolicy.backoffLimit')).toBe(expected.backoffLimit);
    expect(archive.job.manifest).toEqual(source.manifest);
    expect(await archivedSource(archive, {})).toEqual(source);
    if (!expected.isRepeated) {
      expect(await archive.entries()).toEqual(await handle.history());
      const sides = await Promise.all([handle.compared(), comparedArchive(archive, {}, {})]);
      expect(compareJobs(...sides)).toMatchObject({ isEqual: true });
    }
    const statements = await Promise.all([
      attestedFromServer(handle, 'temporal://test'),
      attestedFromArchive(archive),
    ]);
    for (const attested of statements) expect(provenanceOf(attested, { version: '0.1.0' })).toBeDefined();
  });
});

it('a job that had ended, and was reset, has an archive of each end', async () => {
  const name = 'reset-after-its-end';
  const handle = await submitted(name);
  await succeeds(name);
  await handle.wait();
  const first = await eventually('it is archived', () => archiveIn(store).find(choiceOf(name)));
  const reset = ['--type', 'FirstWorkflowTask', '--reason', 'a test'];
  await temporal('workflow', 'reset', '--workflow-id', handle.workflowId, ...reset);
  await untilPhase(job(name), 'Running');
  await job(name).stop({ by: 'ana' });
  await job(name).wait();
  const both = await eventually('its second end is archived', async () => {
    const found = await archiveIn(store).all(choiceOf(name));
    return found.length === 2 && found.map((archive) => archive.job);
  });
  expect(both.map(({ runId, status }) => [runId, status.phase])).toEqual(
    expect.arrayContaining([
      [first.job.runId, 'Completed'],
      [await stage.runOf(handle), 'Stopped'],
    ]),
  );
});

it('each can be run again, or says why not', async () => {
  const plans = Object.keys(STARTS).map(async (name) => {
    const archive = await archiveIn(store).find(choiceOf(name));
    const changes = { name: `${name}-again` };
    const ways = [job(name).planRerun(changes), planArchivedRerun(archive!, changes, {})];
    const [live, archived] = await Promise.all(
      ways.map((way) => way.then(({ manifest }) => manifest, String)),
    );
    expect(archived).toEqual(live);
    return [name, typeof live === 'string' ? live : 'can'] as const;
  });
  const refused = expect.stringMatching(/expected/);
  const can = Object.keys(STARTS).map((name) => [name, 'can'] as const);
  expect(Object.fromEntries(await Promise.all(plans))).toEqual({
    ...Object.fromEntries(can),
    ...{ 'nested-deep': expect.stringContaining(TOO_DEEP), 'no-manifest': refused },
  });
});
