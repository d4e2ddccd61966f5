import { restartComponent } from '@signalbox/sandbox';
import { SignalboxClient } from '../../../client/handles/client.ts';
import { KUBEFLOW_LABELS } from '../../../contracts/labels.ts';
import { type EnginePart, EngineProcess } from '../engine-process.ts';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import type { RunningSystem } from './running-system.ts';

const CONNECTIONS = 64;

/** A worker and a watcher, as users start them. */
export async function startSignalbox({
  dir,
  kubeconfig,
  temporalAddress,
}: ThrowawaySandbox): Promise<RunningSystem> {
  const start = (part: EnginePart) =>
    EngineProcess.start(part, { kubeconfig, temporalAddress, connections: CONNECTIONS });
  const running = new Map<EnginePart, EngineProcess>();
  const close = async () => {
    await Promise.all([...running.values()].map((process) => process.stop()));
  };
  const restart = async (part: EnginePart) => {
    await running.get(part)?.kill();
    running.set(part, await start(part));
  };
  try {
    await restart('worker');
    await restart('watcher');
    const client = await SignalboxClient.connect({
      temporal: { address: temporalAddress, namespace: 'default' },
    });
    return {
      podLabel: KUBEFLOW_LABELS.jobName,
      parts: {
        controller: async () => void (await Promise.all([restart('worker'), restart('watcher')])),
        worker: () => restart('worker'),
        watcher: () => restart('watcher'),
        temporal: () => restartComponent(dir, 'temporal', 'kill'),
        'api-server': () => restartComponent(dir, 'kube-apiserver', 'kill'),
      },
      submit: async ([manifest]) => void (await client.submit(manifest!)),
      remove: async (name) => {
        const job = client.job({ name, namespace: 'default' });
        await job.stop({ by: 'bench' });
        await job.wait();
      },
      close: async () => {
        await client.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
