import { ANNOTATIONS } from '../../contracts/labels.ts';
import { trainKind } from '../../frameworks/kinds/train-job/train-job.ts';
import { type Framework, listOfRoles } from '../../frameworks/model/framework.ts';

/** What the restricted Pod Security Standard asks for in each container, and what it takes from the pod as well. */
const OF_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const OF_POD = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } };

/** Where a template says what of the pod may be said for all containers, too. */
type SaidIn = 'pod' | 'container';

/**
 * Returns a job of a kind whose templates comply with `restricted`, and to which signalbox adds all containers that it has.
 */
export function restrictedManifest(framework: Framework, saidIn: SaidIn) {
  const { container = 'main' } = framework;
  const ofContainer = { ...OF_CONTAINER, ...(saidIn === 'container' ? OF_POD : {}) };
  const main = { name: container, image: 'registry.example/train:1', securityContext: ofContainer };
  const spec = { containers: [main], ...(saidIn === 'pod' ? { securityContext: OF_POD } : {}) };
  const annotations = { [ANNOTATIONS.waitForMaster]: 'busybox' };
  return manifestWithRoles(framework, { name: 'restricted', annotations }, { spec });
}

/** A job of one pod in each role, all of which have this template. */
export const manifestWithRoles = (framework: Framework, metadata: object, template: object): object => ({
  ...{ apiVersion: framework.apiVersion, kind: framework.kind, metadata },
  ...(framework.references
    ? ofRuntime(template)
    : { spec: specWithRoles(framework, { replicas: 1, template }) }),
});

/** The roles are in an object that the job names. */
function ofRuntime(template: object) {
  const name = 'runtime';
  const { apiVersion, kind } = trainKind.references.resources[0]!;
  const spec = {
    template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template } } }] } },
  };
  return { spec: { runtimeRef: { name } }, references: [{ apiVersion, kind, metadata: { name }, spec }] };
}

/** A spec in which every role of the kind is the same. A Chief and a Master exclude each other. */
function specWithRoles(framework: Framework, role: object): Readonly<Record<string, unknown>> {
  const { roles, replicaSpecs } = framework;
  const list = listOfRoles(framework);
  if (list) return { [list]: [{ name: 'node', ...role }] };
  const some = roles.filter(({ name }) => name !== 'Chief');
  const specs = Object.fromEntries(some.map(({ name }) => [replicaSpecs ? name : name.toLowerCase(), role]));
  return replicaSpecs ? { [replicaSpecs]: specs } : specs;
}
