import { ensurePrograms } from '@signalbox/sandbox';
import type { ClusterClient } from '../../cluster/client.ts';
import { LEASES } from '../../contracts/kubernetes.ts';
import { valueAt } from '../../language/fields.ts';
import { MeasuredProcess } from '../performance/measured-process.ts';

/** The namespace and the lease of mpi-operator's own manifests. */
const NAME = 'mpi-operator';

/** mpi-operator in a process of its own. It serves its health on port 8080, which nothing else may use. */
export class MpiOperatorProcess extends MeasuredProcess {
  /** Resolves when it leads: after one that was stopped, when the lease of that has run out. */
  static async start(kubeconfig: string, cluster: ClusterClient): Promise<MpiOperatorProcess> {
    const { 'mpi-operator': program } = await ensurePrograms({ names: ['mpi-operator'] });
    const leader = async () =>
      valueAt(await cluster.find(LEASES, NAME, NAME), 'spec.holderIdentity') as string | undefined;
    const before = await leader();
    const args = ['-kube-api-qps=1000', '-kube-api-burst=2000'];
    const operator = new MpiOperatorProcess({ name: NAME, program, args, env: { KUBECONFIG: kubeconfig } });
    await operator.untilReady(async () => {
      const now = await leader();
      return now !== undefined && now !== before;
    });
    return operator;
  }
}
