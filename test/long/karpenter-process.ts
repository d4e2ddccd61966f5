import { ensureKarpenter } from '@signalbox/sandbox';
import { freePort } from '../../worker/free-port.ts';
import { openInstallers } from '../deploy/installers.ts';
import { answersOk, MeasuredProcess } from '../performance/measured-process.ts';

/** Karpenter in a process of its own. The machines that it starts are nodes that the sandbox simulates. */
export class KarpenterProcess extends MeasuredProcess {
  /** Resolves when it acts on pods that find no node. */
  static async start(kubeconfig: string): Promise<KarpenterProcess> {
    const { program, customResources } = await ensureKarpenter();
    const { kubectl } = await openInstallers(kubeconfig);
    await kubectl('apply', '--server-side', '-f', customResources);
    await kubectl('wait', '--for=condition=Established', '-f', customResources);
    const port = await freePort();
    const args = [
      ...['--disable-leader-election', '--log-level=error', '--log-output-paths=stderr'],
      ...[`--metrics-port=${await freePort()}`, `--health-probe-port=${port}`],
    ];
    const env = { KUBECONFIG: kubeconfig, SYSTEM_NAMESPACE: 'kube-system' };
    const karpenter = new KarpenterProcess({ name: 'karpenter', program, args, env });
    await karpenter.untilReady(() => answersOk(`http://127.0.0.1:${port}/readyz`));
    return karpenter;
  }
}
