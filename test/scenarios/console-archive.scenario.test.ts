import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunningConsole } from '../../console/console.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';
import { startStageConsole } from './stage-console.ts';

/** A job that Temporal has deleted is in the console's list and has its page, from the archive. */

let archive: ArchiveStage;
let open: RunningConsole;

beforeAll(async () => {
  archive = await openArchiveStage();
  await archive.engine().start(archive.settings);
  const { stage, temporalNamespace, directory } = archive;
  open = await startStageConsole(stage, {
    temporalNamespace,
    archive: { store: { store: 'files', directory } },
  });
});
afterAll(async () => {
  await open?.stop();
  await archive?.close();
});

const load = async (path: string) => {
  const answer = await fetch(open.address + path);
  return { status: answer.status, text: await answer.text() };
};

it('a job that Temporal has deleted is listed and counted once, and its page says what became of it', async () => {
  const { client, stage, temporal, temporalNamespace } = archive;
  const { namespace } = stage;
  const name = 'kept';
  const job = await client.submit(simulatedJob({ name, namespace, worker: false }));
  await untilPhase(job, 'Running');
  await job.stop({ by: 'bob', why: 'it is enough' });
  await job.wait();
  await eventually('it is archived', () => archive.archive.find({ namespace, name }));
  const listed = await load('/');
  expect(listed.text.match(new RegExp(`>${name}</a>`, 'g'))).toHaveLength(1);
  expect(listed.text).not.toContain('archived</span>');

  const { runId } = await temporal.workflow.getHandle(job.workflowId).describe();
  await temporal.workflowService.deleteWorkflowExecution({
    namespace: temporalNamespace,
    workflowExecution: { workflowId: job.workflowId, runId },
  });
  const text = await eventually('it is listed from the archive', async () => {
    const { text } = await load('/');
    return text.includes('· archived</span>') && text;
  });
  expect(text.match(new RegExp(`>${name}</a>`, 'g'))).toHaveLength(1);
  expect(text).toContain('Stopped <b>1</b>');
  const path = new RegExp(`href="(/jobs/${namespace}/${name}[^"]*)"`).exec(text)![1]!;
  const page = await load(path);
  expect(page.status).toBe(200);
  for (const words of ['it is read from the archive', 'it is enough', 'id="manifest"', 'do/rerun'])
    expect(page.text).toContain(words);
});
