import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Framework } from '../../frameworks/model/framework.ts';

/** What the restricted Pod Security Standard asks for in each container, and what it takes from the pod as well. */
const OF_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const OF_POD = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } };

/** Where a template says what of the pod may be said for all containers, too. */
type SaidIn = 'pod' | 'container';

/**
 * Returns a job of a kind whose templates comply with `restricted`, and to which signalbox adds all containers that it has. A
 * Chief and a Master exclude each other.
 */
export function restrictedManifest(
  { apiVersion, kind, roles, replicaSpecs, container = 'main' }: Framework,
  saidIn: SaidIn,
) {
  const ofContainer = { ...OF_CONTAINER, ...(saidIn === 'container' ? OF_POD : {}) };
  const main = { name: container, image: 'registry.example/train:1', securityContext: ofContainer };
  const spec = { containers: [main], ...(saidIn === 'pod' ? { securityContext: OF_POD } : {}) };
  const some = roles.filter(({ name }) => name !== 'Chief');
  const specs = Object.fromEntries(
    some.map(({ name }) => [replicaSpecs ? name : name.toLowerCase(), { replicas: 1, template: { spec } }]),
  );
  const annotations = { [ANNOTATIONS.waitForMaster]: 'busybox' };
  return {
    apiVersion,
    kind,
    metadata: { name: 'restricted', annotations },
    spec: replicaSpecs ? { [replicaSpecs]: specs } : specs,
  };
}
