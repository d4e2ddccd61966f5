import type { ClusterClient } from '../cluster/client.ts';
import { listAll } from '../cluster/list-all.ts';
import { type JobResource, saysEnded } from '../contracts/job-resources.ts';
import type { Resource } from '../contracts/kubernetes.ts';
import { eachServed, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import type { BridgeTakes } from '../contracts/settings.ts';
import type { OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import { findOriginalOperators } from './find-operators.ts';
import { KINDS_WITH_VERSIONS } from './job-kinds.ts';
import { type ResourceFacts, resourceFacts } from './resource-facts.ts';
import { rivalOf } from './rivals.ts';

export interface BridgedScope {
  readonly namespaces?: ServedNamespaces;
  readonly takes: BridgeTakes;
}

/** As in the bridge: any user can write a resource of a MiB. */
const PAGE = 100;

/** Returns the live jobs among the custom resources that a bridge would run, as `KIND NAMESPACE/NAME`. */
export async function findBridgedJobs(
  cluster: Pick<ClusterClient, 'serves' | 'list'>,
  { namespaces, takes }: BridgedScope,
): Promise<readonly string[]> {
  const kinds = await servedKinds(cluster);
  const lists = await Promise.all(
    kinds.flatMap((resource) =>
      eachServed(namespaces).map((namespace) =>
        listAll<JobResource, ResourceFacts>(cluster, {
          ...{ resource, selection: { namespace }, pageSize: PAGE, trim: resourceFacts },
        }),
      ),
    ),
  );
  const live = lists.flatMap(({ objects }) => objects).filter((one) => isTaken(one, takes));
  if (live.length === 0) return [];
  const operators = takes === 'own' ? [] : await findOriginalOperators(cluster);
  return live.filter((one) => isLeft(one, operators)).map(nameOf);
}

/** Each kind that the cluster serves, in one version. */
async function servedKinds(
  cluster: Pick<ClusterClient, 'serves'>,
): Promise<readonly Resource<JobResource>[]> {
  const served = await Promise.all(
    KINDS_WITH_VERSIONS.map(async (versions) => {
      const isServed = await Promise.all(versions.map((version) => cluster.serves(version)));
      return versions.find((_, index) => isServed[index]);
    }),
  );
  return served.filter((one) => one !== undefined);
}

const isTaken = ({ isForeign, isOwn, isDeleting, status }: ResourceFacts, takes: BridgeTakes) =>
  !isForeign && !isDeleting && !saysEnded(status) && (takes === 'all' || isOwn);

const isLeft = (one: ResourceFacts, operators: readonly OriginalOperator[]) =>
  rivalOf(operators, one) === undefined;

const SHOWN = 3;

/** E.g. `PyTorchJob ml/a, PyTorchJob ml/b, PyTorchJob ml/c and 7 more`. */
export const namedJobs = (jobs: readonly string[]): string =>
  jobs.slice(0, SHOWN).join(', ') + (jobs.length > SHOWN ? ` and ${jobs.length - SHOWN} more` : '');

const nameOf = ({ kind, namespace, name }: ResourceFacts) => `${kind} ${namespace}/${name}`;
