import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { freePort } from '../../worker/free-port.ts';
import { MeasuredProcess } from './measured-process.ts';

/** Its name for pods. */
export const STOCK_SCHEDULER = 'stock-scheduler';

/** Only gangs are not on by default. */
const GATES = 'GenericWorkload=true,GangScheduling=true';

/** A second kube-scheduler beside a sandbox's own, as Kubernetes ships it. */
export class StockScheduler extends MeasuredProcess {
  static async start(kubeconfig: string): Promise<StockScheduler> {
    const { 'kube-scheduler': program } = await ensurePrograms({ names: ['kube-scheduler'] });
    const folder = await mkdtemp(join(tmpdir(), 'stock-scheduler-'));
    const port = await freePort();
    const config = join(folder, 'config.json');
    await writeFile(
      config,
      JSON.stringify({
        ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
        clientConnection: { kubeconfig, qps: 5000, burst: 5000 },
        leaderElection: { leaderElect: false },
        profiles: [{ schedulerName: STOCK_SCHEDULER }],
      }),
    );
    const args = [
      ...[`--config=${config}`, `--feature-gates=${GATES}`],
      ...[`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`],
      ...[`--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${folder}`],
    ];
    const scheduler = new StockScheduler({ name: STOCK_SCHEDULER, program, args, env: {} });
    try {
      await scheduler.untilReady(() => isReady(port));
    } finally {
      // It has read them.
      await rm(folder, { recursive: true });
    }
    return scheduler;
  }
}

/** It signs its own certificate. */
const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false };
    get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', () => resolve(false));
  });
