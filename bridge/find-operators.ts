import type { ClusterClient } from '../cluster/client.ts';
import { listAll } from '../cluster/list-all.ts';
import { DEPLOYMENTS, type KubeObject, LEASES, type Resource } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { ORIGINAL_OPERATORS, type OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import { asFields, isFields, valueAt } from '../language/fields.ts';

type Original = (typeof ORIGINAL_OPERATORS)[number];

/**
 * Finds the original operators that run. A Deployment that is to have pods counts, whether it has them at the moment; so does a
 * lease that is renewed. Needs the rights to list these by their names.
 */
export async function findOriginalOperators(
  cluster: Pick<ClusterClient, 'list'>,
): Promise<readonly OriginalOperator[]> {
  const found = await Promise.all(
    ORIGINAL_OPERATORS.map(async (original) => {
      const [deployments, leases] = await Promise.all([
        named(cluster, DEPLOYMENTS, original.deployments),
        named(cluster, LEASES, original.leases),
      ]);
      const running = deployments.filter((one) => valueAt(one, 'spec.replicas') !== 0);
      if (running.length > 0) return running.flatMap((one) => ofDeployment(original, one));
      return leases.filter(isRenewed).map((one) => ({ ...aboutOf(original), found: called(one) }));
    }),
  );
  return found.flat();
}

/** Returns the leases that bridges renew, in all namespaces. */
export async function findBridgeLeases(cluster: Pick<ClusterClient, 'list'>): Promise<readonly KubeObject[]> {
  const selection = { labelSelector: `${LABELS.part}=bridge` };
  const { objects } = await listAll(cluster, { resource: LEASES, selection });
  return objects.filter((lease) => valueAt(lease, 'spec.holderIdentity') && isRenewed(lease));
}

/** One by one: a right to list objects of these names holds for a list of each. */
async function named(
  cluster: Pick<ClusterClient, 'list'>,
  resource: Resource<KubeObject>,
  names: readonly string[],
): Promise<readonly KubeObject[]> {
  const lists = names.map((name) =>
    listAll(cluster, { resource, selection: { fieldSelector: `metadata.name=${name}` } }),
  );
  return (await Promise.all(lists)).flatMap(({ objects }) => objects);
}

const aboutOf = ({ name, group, kinds, unless }: Original) => ({
  ...{ name, group, kinds },
  ...(unless ? { unless } : {}),
});

const called = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.namespace}/${metadata.name}`;

function ofDeployment(original: Original, deployment: KubeObject): readonly OriginalOperator[] {
  const flags = flagsOf(deployment);
  if (original.controller && isLeftOut(original.controller, flags)) return [];
  const kinds = flags.filter(([name]) => name === 'enable-scheme').map(([, value]) => value.toLowerCase());
  const namespace = flags.find(([name]) => name === 'namespace')?.[1];
  const others = { ...(kinds.length > 0 ? { kinds } : {}), ...(namespace ? { namespace } : {}) };
  return [{ ...aboutOf(original), found: called(deployment), ...others }];
}

/** As Volcano reads it: the first word about a controller decides, else whether there is a `*`. */
function isLeftOut(controller: string, flags: ReturnType<typeof flagsOf>): boolean {
  const words = flags.filter(([name]) => name === 'controllers').flatMap(([, value]) => value.split(','));
  if (words.length === 0) return false;
  const said = words.find((word) => word.replace(/^[+-]/, '') === controller);
  return said === undefined ? !words.includes('*') : said.startsWith('-');
}

/** Go's flags: with one dash or two, and their value after an equals sign or as the next word. */
function flagsOf(deployment: KubeObject): readonly (readonly [name: string, value: string])[] {
  const containers = valueAt(deployment, 'spec.template.spec.containers');
  const [container] = Array.isArray(containers) ? containers : [];
  const { command = [], args = [], env = [] } = asFields(container);
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  const flags = words.flatMap((word, index) => {
    const [, name, value = words[index + 1]] = /^--?([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const variable = [env].flat().find((one) => isFields(one) && one.name === 'KUBEFLOW_NAMESPACE');
  const { value } = asFields(variable);
  return typeof value === 'string' ? [...flags, ['namespace', value]] : flags;
}

/** Clocks of machines differ; a leader renews several times within the duration. */
const TOLERATED = 4;

function isRenewed(lease: KubeObject): boolean {
  const renewed = Date.parse(String(valueAt(lease, 'spec.renewTime')));
  const seconds = Number(valueAt(lease, 'spec.leaseDurationSeconds') ?? 15);
  return Date.now() - renewed < seconds * 1000 * TOLERATED;
}
