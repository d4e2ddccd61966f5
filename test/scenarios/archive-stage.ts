import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { SignalboxClient } from '../../client/handles/client.ts';
import { ARCHIVER_QUERY, type ArchiverReport, archiverIdOf } from '../../contracts/archiver.ts';
import { Engine, type EngineCommand } from '../../demo/engine.ts';
import { type Archive, archiveIn } from '../../record/archive/archive-reader.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { installationOf } from '../../temporal/installation.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from './stage.ts';

/** A Temporal namespace of its own, and an archive. */
export interface ArchiveStage {
  readonly stage: Stage;
  readonly temporal: Client;
  readonly temporalNamespace: string;
  readonly client: SignalboxClient;
  /** The archive's directory. */
  readonly directory: string;
  readonly archive: Archive;
  /** For engines and for the command line. */
  readonly settings: Readonly<Record<string, string>>;
  engine(command?: EngineCommand): Engine;
  archiver(): Promise<ArchiverReport>;
  close(): Promise<void>;
}

/** `dataConverter`: path of the module by which this installation writes payloads. */
export async function openArchiveStage({
  dataConverter,
  localNode = false,
}: {
  readonly dataConverter?: string;
  readonly localNode?: boolean;
} = {}): Promise<ArchiveStage> {
  const stage = await openStage({ localNode });
  const temporalNamespace = `archive-${randomUUID().slice(0, 8)}`;
  const connection = {
    address: stage.sandbox.temporalAddress,
    namespace: temporalNamespace,
    ...(dataConverter ? { dataConverter } : {}),
  };
  await register(stage.temporal, connection);
  const temporal = await connectTemporal(connection);
  const client = await SignalboxClient.connect({
    temporal: connection,
    namespace: stage.namespace,
    submittedBy: 'ana',
  });
  const directory = join(await mkdtemp(join(tmpdir(), 'signalbox-archive-')), 'archive');
  const settings = {
    TEMPORAL_ADDRESS: connection.address,
    TEMPORAL_NAMESPACE: temporalNamespace,
    SIGNALBOX_LEASE_NAME: temporalNamespace,
    SIGNALBOX_NAMESPACE: stage.namespace,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_ARCHIVE_STORE: 'files',
    SIGNALBOX_ARCHIVE_DIR: directory,
    ...(dataConverter ? { SIGNALBOX_DATA_CONVERTER: dataConverter } : {}),
  };
  const engines: Engine[] = [];
  return {
    ...{ stage, temporal, temporalNamespace, client, directory, settings },
    archive: archiveIn(new FileArchiveStore(directory)),
    engine: (command = 'up') => {
      const number = engines.length + 1;
      const logFile = join(stage.sandbox.dir, 'engines', `${temporalNamespace}-${command}-${number}.log`);
      const engine = new Engine(command, stage.sandbox, { logFile });
      engines.push(engine);
      return engine;
    },
    archiver: async () =>
      temporal.workflow
        .getHandle(archiverIdOf(await installationOf(temporal)))
        .query<ArchiverReport>(ARCHIVER_QUERY),
    close: async () => {
      for (const engine of engines) await engine.stop();
      await client.close();
      await temporal.connection.close();
      await stage.close();
      await rm(join(directory, '..'), { recursive: true, force: true });
    },
  };
}

async function register(
  { workflowService }: Client,
  connection: { readonly address: string; readonly namespace: string },
): Promise<void> {
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
  await workflowService.registerNamespace({
    namespace: connection.namespace,
    workflowExecutionRetentionPeriod,
  });
  await eventually('the Temporal namespace is there', async () => {
    const client = await connectTemporal(connection);
    await client.workflow.count();
    await client.connection.close();
    return true;
  });
}
