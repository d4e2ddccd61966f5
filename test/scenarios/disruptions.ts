import { type KubeObject, PODS, type Resource } from '../../contracts/kubernetes.ts';
import type { Stage } from './stage.ts';

/** Ways in which somebody else than the job ends a pod of it. */
export type Disruption = (stage: Pick<Stage, 'cluster' | 'namespace'>, pod: string) => Promise<unknown>;

/** As `kubectl delete pod` does. */
export const deletion: Disruption = ({ cluster, namespace }, pod) => cluster.delete(PODS, namespace, pod);

/** As `kubectl drain` does. */
export const eviction: Disruption = ({ cluster, namespace }, name) => {
  const asked = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
  return cluster.create<KubeObject>(PODS as Resource, asked, { subresource: 'eviction' });
};

/** As the scheduler and the controllers of Kubernetes do: they say why, then they delete. */
export const disruptionBy =
  (reason: string, message: string): Disruption =>
  async (stage, name) => {
    const { cluster, namespace } = stage;
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
    const condition = { type: 'DisruptionTarget', status: 'True', reason, message, lastTransitionTime };
    const target = { namespace, name, subresource: 'status' } as const;
    await cluster.patch(PODS, target, { status: { conditions: [condition] } }, 'strategic');
    await deletion(stage, name);
  };
