import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EvidenceRecord } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt } from './attempts.ts';
import { localJob } from './local-jobs.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A store that cannot be written to holds up no job. */

let stage: Stage;
let folder: string;

beforeAll(async () => {
  stage = await openStage();
  folder = await mkdtemp(join(tmpdir(), 'signalbox-no-store-'));
  const file = join(folder, 'file');
  await writeFile(file, 'not a folder');
  const engine = await stage.engine('up');
  await engine.stop();
  await engine.start({ SIGNALBOX_EVIDENCE_DIR: file });
});

afterAll(async () => {
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

const NOT_STORED = expect.stringMatching(/^store: .*(ENOTDIR|EEXIST)/);

it('a worker logs at its start that its evidence store cannot be written to', async () => {
  const log = join(stage.sandbox.dir, 'engines', `${stage.namespace}-up.log`);
  await eventually('it has looked', async () => {
    expect(await readFile(log, 'utf8')).toContain('evidence of failures cannot be stored');
    return true;
  });
});

it('a gang restarts without a record, and its timeline says why there is none', async () => {
  const manifest = simulatedJob({ name: 'again', namespace: stage.namespace });
  const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
  const job = await stage.client.submit(withPolicy(manifest, { restart }));
  await untilPhase(job, 'Running');
  await stage.endPod('again-worker-0', { exitCode: 9 });
  const { evidence } = await untilAttempt(job, 2);
  expect(evidence).toMatchObject([{ pod: 'again-worker-0', exitCode: 9, incomplete: NOT_STORED }]);
  expect(evidence![0]!.ref).toBeUndefined();
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
});

it('patterns are still found in logs, and the summaries in the history can be read', async () => {
  const script = 'echo bad data; exit 3';
  const manifest = localJob({ name: 'final', namespace: stage.namespace, script });
  const failures = { rules: [{ class: 'bad', pattern: 'bad data' }], classes: { bad: { final: true } } };
  const restart = { ladder: [{ scope: 'pod' }] };
  const job = await stage.client.submit(withPolicy(manifest, { failures, restart }));
  expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'FinalFailure' } });
  expect(await stage.pods('final')).toEqual([]);
  const records: EvidenceRecord[] = [];
  for await (const record of job.evidence()) records.push(record);
  expect(records).toMatchObject([{ summary: { exitCode: 3, matches: [0] }, incomplete: [NOT_STORED] }]);
});
