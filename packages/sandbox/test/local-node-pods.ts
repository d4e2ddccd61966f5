import type { ClusterClient } from '../../../cluster/client.ts';
import { isNotFound } from '../../../cluster/errors.ts';
import { type Container, PODS, type Pod, type PodSpec } from '../../../contracts/kubernetes.ts';
import { until } from './support.ts';

/** Creates pods of one container and waits for their states. */
export function podsOf(client: ClusterClient) {
  const get = (name: string) => client.get(PODS, 'default', name);
  return {
    get,

    run(name: string, script: string, spec: Partial<PodSpec> = {}, container: Partial<Container> = {}) {
      const command = ['sh', '-c', script];
      return client.create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', labels: { app: name } },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'ignored', command, ...container }],
          ...spec,
        },
      });
    },

    is(name: string, fact: string, holds: (pod: Pod) => boolean, withinMs?: number): Promise<Pod> {
      const look = async () => {
        const pod = await get(name);
        return holds(pod) && pod;
      };
      return until(`pod ${name} ${fact}`, look, withinMs);
    },

    isPhase(name: string, phase: string): Promise<Pod> {
      return this.is(name, `is ${phase}`, ({ status }) => status?.phase === phase);
    },

    isGone(name: string): Promise<true> {
      return until(`pod ${name} is gone`, () =>
        get(name).then(
          () => false,
          (error) => isNotFound(error),
        ),
      ) as Promise<true>;
    },

    async logOf(name: string, options: Parameters<ClusterClient['log']>[2] = {}): Promise<string> {
      let text = '';
      for await (const chunk of await client.log('default', name, options)) text += chunk;
      return text;
    },
  };
}

export const mainOf = (pod: Pod) => pod.status?.containerStatuses?.[0];
