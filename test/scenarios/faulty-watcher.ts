import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../demo/engine.ts';
import { kubeconfigOf } from '../deploy/proxied-kubeconfig.ts';
import { FaultyApi } from '../long/faulty-api.ts';
import type { StreamFaults } from '../long/stream-faults.ts';
import { withClockAhead } from '../skewed-clock.ts';
import type { Chance } from './chance.ts';
import type { Stage } from './stage.ts';

/** A watcher whose streams can fail one by one, and whose clock is not that of the others. */
export interface FaultyWatcher {
  readonly engine: Engine;
  readonly streams: StreamFaults;
  close(): Promise<void>;
}

const CLOCK = withClockAhead(-30_000);

export async function startFaultyWatcher(
  { sandbox, namespace }: Stage,
  chance: Chance,
): Promise<FaultyWatcher> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-chaos-'));
  const { clusters, users } = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  const api = await FaultyApi.open({ server: sandbox.kubernetesUrl, ca, chance, injected: () => undefined });
  const kubeconfig = join(dir, 'kubeconfig');
  await writeFile(
    kubeconfig,
    JSON.stringify(kubeconfigOf(`http://127.0.0.1:${api.port}`, users[0].user.token)),
  );
  const logFile = join(sandbox.dir, 'engines', `${namespace}-watcher.log`);
  const engine = await new Engine('watcher', { ...sandbox, kubeconfig }, { logFile }).start(CLOCK);
  return {
    engine,
    streams: api.streams,
    close: async () => {
      await engine.stop();
      await api.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
