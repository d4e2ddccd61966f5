import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { CallOptions } from '../../client/servers/client-settings.ts';
import { freePort } from '../../worker/free-port.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';
import { startTemporal, type TemporalServer } from './temporal-server.ts';

let folder: string;
let file: string;
let server: TemporalServer;
let stage: ClientStage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-client-'));
  file = join(folder, 'temporal.sqlite');
  server = await startTemporal({ file });
  stage = await openClientStage(server);
});
afterAll(async () => {
  await stage.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const CALLS: readonly [string, (options: CallOptions) => Promise<unknown>][] = [
  ['submit', (options) => stage.client.submit(aManifest(aName()), options)],
  ['submitAndWait', (options) => stage.client.submitAndWait(aManifest(aName()), options)],
  ['find', (options) => stage.client.find({ name: 'nobody' }, options)],
  ['list', (options) => stage.client.list({}, options).next()],
  ['count', (options) => stage.client.count({}, options)],
  ['status', (options) => aJob().status(options)],
  ['summary', (options) => aJob().summary(options)],
  ['history', (options) => aJob().history(options)],
  ['why', (options) => aJob().why(options)],
  ['stop', (options) => aJob().stop({}, options)],
  ['suspend', (options) => aJob().suspend({}, options)],
  ['hold', (options) => aJob().hold({ seconds: 1 }, options)],
];
const aJob = () => stage.client.job({ name: 'nobody' });

describe('while Temporal is unavailable', () => {
  beforeAll(() => server.stop());

  test.each(CALLS)(
    '%s retries until its timeout, and says that the server is unavailable',
    async (_name, call) => {
      const begin = performance.now();
      await expect(call({ timeout: 1_000 })).rejects.toMatchObject({
        code: 'ServerAway',
        message: `Temporal does not answer at ${server.address}.`,
      });
      expect(performance.now() - begin).toBeGreaterThan(500);
    },
  );

  test.each(CALLS)('%s ends with the reason of its signal', async (_name, call) => {
    const reason = new Error('enough');
    const giveUp = new AbortController();
    const called = call({ timeout: 60_000, signal: giveUp.signal });
    const begin = performance.now();
    giveUp.abort(reason);
    await expect(called).rejects.toBe(reason);
    // gRPC alone may take twenty seconds to notice.
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  test('waiting ends with the reason of its signal, and after its timeout', async () => {
    await expect(aJob().wait({ timeout: 500 })).rejects.toMatchObject({ code: 'WaitTimeout' });
    const reason = new Error('enough');
    await expect(aJob().wait({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a submission succeeds once when Temporal is back', async () => {
    const manifest = aManifest(aName(), 'Running');
    const submitting = stage.client.submit(manifest, { key: 'a', timeout: 120_000 });
    server = await startTemporal({ port: server.port, file });
    const job = await submitting;
    expect(job.submission).toBe('started');
    expect(await stage.client.submit(manifest, { key: 'a' })).toMatchObject({ runId: job.runId });
  });
});

test('connecting waits for at most its timeout, or for its signal', async () => {
  const settings = { temporal: { address: `127.0.0.1:${await freePort()}`, namespace: 'default' } };
  await expect(SignalboxClient.connect(settings, { timeout: 300 })).rejects.toMatchObject({
    code: 'ServerAway',
  });
  const reason = new Error('enough');
  const connecting = SignalboxClient.connect(settings, { signal: AbortSignal.abort(reason) });
  await expect(connecting).rejects.toBe(reason);
});
