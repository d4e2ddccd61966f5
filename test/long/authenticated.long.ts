import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { LedgerEntry, LedgerWho } from '../../contracts/types.ts';
import { connectionOptions, connectTemporal } from '../../temporal/connection.ts';
import { bundleWorkflows } from '../../worker/bundle.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { aManifest } from '../workflows/admissions.ts';
import { succeedingActivities } from '../workflows/server-stage.ts';
import { type AuthorizingServer, startAuthorizingServer } from './authorizing-server.ts';

/** Who asked, as a Temporal server knows it that authorizes its callers: in the ledger, and never the worker. */

/** The first build of the server takes minutes. */
const SET_UP_MS = 30 * 60_000;
const WORKER = 'the-worker';

let server: AuthorizingServer;
let admin: Client;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  server = await startAuthorizingServer();
  admin = await connectTemporal(server.settingsOf('root', ['temporal-system:admin']), {
    connectTimeout: 60_000,
  });
  const day = { seconds: 86_400 as never };
  await admin.workflowService.registerNamespace({
    namespace: 'default',
    workflowExecutionRetentionPeriod: day,
  });
  // The server knows a new namespace after some seconds.
  await eventually('search attributes can be registered', () => registerSearchAttributes(admin));
  connection = await NativeConnection.connect(connectionOptions(server.settingsOf(WORKER)));
  const workflowBundle = await bundleWorkflows({ logger: new DefaultLogger('ERROR') });
  worker = await Worker.create({
    connection,
    taskQueue: 'signalbox',
    workflowBundle,
    activities: succeedingActivities(admin),
  });
  running = worker.run();
}, SET_UP_MS);

afterAll(async () => {
  worker?.shutdown();
  await running;
  await Promise.all([...open.map((each) => each.close()), connection?.close(), admin?.connection.close()]);
  await server?.stop();
});

/** A client of signalbox whose token says one thing, and which says another. */
async function clientOf(subject: string): Promise<SignalboxClient> {
  const client = await SignalboxClient.connect({
    temporal: server.settingsOf(subject),
    submittedBy: `${subject}@claimed`,
  });
  open.push(client);
  return client;
}

async function temporalOf(subject: string): Promise<Client> {
  const client = await connectTemporal(server.settingsOf(subject));
  open.push(client.connection);
  return client;
}

const as = async (subject: string, { workflowId }: JobHandle) =>
  (await clientOf(subject)).job({ workflowId });

async function submit(name: string): Promise<JobHandle> {
  const job = await (await clientOf('ana')).submit(aManifest({ name }), { why: 'first try' });
  await eventually('it has begun', async () => (await job.status()).state === 'Pending.Scheduling');
  return job;
}

const whoOf = (entries: readonly LedgerEntry[], request: string): LedgerWho | undefined => {
  const found = entries.find(
    ({ cause }) => cause.type === request || (cause.type === 'request' && cause.request === request),
  );
  return found && 'who' in found.cause ? found.cause.who : undefined;
};

const authenticated = (name: string) => ({ type: 'jwt', name });

describe('on a server that authorizes its callers', () => {
  it('the ledger names who submitted, and who sent each update, signal and cancellation', async () => {
    const job = await submit('asked');
    await (await as('ben', job)).suspend({ why: 'maintenance' });
    await (await temporalOf('cleo')).workflow.getHandle(job.workflowId).signal('resume', { by: 'cleo' });
    await eventually('it is resumed', async () => (await job.status()).phase === 'Pending');
    await (await temporalOf('dora')).workflow.getHandle(job.workflowId).cancel();
    await job.wait({ timeout: 60_000 });

    const entries = await job.history();
    expect(whoOf(entries, 'submitted')).toMatchObject({
      given: 'ana@claimed',
      authenticated: authenticated('ana'),
    });
    expect(whoOf(entries, 'suspend')).toMatchObject({
      given: 'ben@claimed',
      authenticated: authenticated('ben'),
    });
    expect(whoOf(entries, 'resume')).toMatchObject({ given: 'cleo', authenticated: authenticated('cleo') });
    expect(whoOf(entries, 'cancel')).toMatchObject({ authenticated: authenticated('dora') });
    expect(JSON.stringify(entries)).not.toContain(WORKER);
  });

  it('the ledger names who terminated the workflow', async () => {
    const job = await submit('terminated');
    await (await temporalOf('dora')).workflow.getHandle(job.workflowId).terminate('enough seen');
    await job.wait({ timeout: 60_000 });

    const entries = await job.history();
    expect(entries.at(-1)).toMatchObject({
      cause: { type: 'closed', how: 'terminated', why: 'enough seen' },
    });
    expect(whoOf(entries, 'closed')).toMatchObject({ authenticated: authenticated('dora') });
    expect(JSON.stringify(entries)).not.toContain(WORKER);
  });

  it('an update without an earlier announcement is only claimed, whoever announces it later', async () => {
    const job = await submit('unannounced');
    const request = { by: 'ben', why: 'maintenance' };
    const handle = (await temporalOf('mallory')).workflow.getHandle(job.workflowId);
    await handle.executeUpdate('suspend', { args: [request], updateId: 'u-1' });
    await handle.signal('asked', { id: 'u-1', request: 'suspend', argument: request });

    const entries = await job.history();
    expect(whoOf(entries, 'suspend')).toMatchObject({ given: 'ben' });
    expect(whoOf(entries, 'suspend')?.authenticated).toBeUndefined();
    await job.stop();
    await job.wait({ timeout: 60_000 });
  });

  it('a caller without a right to the namespace is refused', async () => {
    const stranger = await SignalboxClient.connect({ temporal: server.settingsOf('eve', []) });
    open.push(stranger);
    await expect(stranger.submit(aManifest({ name: 'strange' }))).rejects.toThrow(/Request unauthorized/);
  });
});
