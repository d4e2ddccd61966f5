import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { Engine } from '../../demo/engine.ts';
import { signalbox } from '../cli/process.ts';
import { kubeconfigOf } from '../deploy/proxied-kubeconfig.ts';
import { type RecordingProxy, startRecordingProxy } from '../deploy/recording-proxy.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A watcher that loses its right to read pods, while all else works. */

let stage: Stage;
let dir: string;
let proxy: RecordingProxy;
let watcher: Engine;

beforeAll(async () => {
  stage = await openStage();
  dir = await mkdtemp(join(tmpdir(), 'signalbox-blind-'));
  const { clusters, users } = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  proxy = await startRecordingProxy(stage.sandbox.kubernetesUrl, ca);
  const kubeconfig = join(dir, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(proxy.url, users[0].user.token)));
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}-blind-watcher.log`);
  watcher = new Engine('watcher', { ...stage.sandbox, kubeconfig }, { logFile });
  await Promise.all([stage.engine('worker'), watcher.start()]);
});

afterAll(async () => {
  await watcher.stop();
  await proxy.close();
  await stage.close();
  await rm(dir, { recursive: true, force: true });
});

async function doctor(): Promise<string> {
  const { stdout } = await signalbox(['doctor'], {
    env: {
      TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      SIGNALBOX_NAMESPACE: stage.namespace,
    },
  });
  return stdout;
}

it('a job whose watcher cannot see its pods start is not restarted, and shows what it waits for', async () => {
  const container = { envFrom: [{ configMapRef: { name: 'later' } }] };
  const manifest = localJob({
    name: 'healthy',
    namespace: stage.namespace,
    script: 'exec sleep 600',
    container,
  });
  const policy = {
    failures: { classes: { startUp: { after: '15s' } } },
    restart: { ladder: [{ scope: 'gang', times: 3 }] },
  };
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await eventually('the watcher has reported the error', async () =>
    (await statusOf(job)).cause?.message?.includes('CreateContainerConfigError'),
  );
  proxy.refuse('pods');
  const metadata = { name: 'later', namespace: stage.namespace };
  await stage.cluster.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const pod = await eventually('its pod is ready', async () => {
    const found = await stage.pod('healthy-master-0');
    return (
      found.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') && found
    );
  });
  await eventually('it waits for an answer', async () =>
    (await statusOf(job)).warnings.some((warning) => warning.includes('has not answered a question')),
  );
  await eventually('doctor names the stream', async () =>
    /fault +watcher streams +.*v1\/pods: interrupted since .*403 Forbidden/.test(await doctor()),
  );
  const refusals = proxy.refusals;
  await eventually('it is tried again', () => proxy.refusals > refusals + 3);
  expect(await statusOf(job)).toMatchObject({ phase: 'Starting', attempt: 1, restarts: 0 });
  proxy.allow('pods');
  const { attempt, restarts, warnings } = await untilPhase(job, 'Running');
  expect({ attempt, restarts, warnings }).toEqual({ attempt: 1, restarts: 0, warnings: [] });
  expect((await stage.pod('healthy-master-0')).metadata.uid).toBe(pod.metadata.uid);
  expect(await doctor()).not.toContain('watcher streams');
  await job.stop();
  await job.wait();
});
