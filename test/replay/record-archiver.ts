import { stopSandbox } from '@signalbox/sandbox';
import { archiverIdOf } from '../../contracts/archiver.ts';
import { installationOf } from '../../temporal/installation.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from '../scenarios/archive-stage.ts';
import { SUCCEEDS, simulatedJob } from '../scenarios/manifests.ts';
import { saveHistory } from './save-history.ts';

/** `node test/replay/record-archiver.ts`: the archiver, which never ends. See record.ts. */

const on = await openArchiveStage();
try {
  await record(on);
} finally {
  await on.close();
  await stopSandbox(on.stage.sandbox.dir);
}

async function record({
  engine,
  settings,
  client,
  temporal,
  temporalNamespace,
  archive,
  stage,
}: ArchiveStage) {
  await engine().start(settings);
  const { namespace } = stage;
  const master = { annotations: SUCCEEDS };
  const job = await client.submit(simulatedJob({ name: 'archived', namespace, master, worker: false }));
  await job.wait();
  await eventually('it is archived', () => archive.find({ namespace, name: 'archived' }));
  const number = await client.archiver.ask({ all: true });
  await eventually('what was asked for is done', async () =>
    (await on.archiver()).requests.some((request) => request.number === number && request.state === 'done'),
  );
  const workflowId = archiverIdOf(await installationOf(temporal));
  const address = stage.sandbox.temporalAddress;
  await saveHistory('archiver', { address, namespace: temporalNamespace, workflowId });
}
