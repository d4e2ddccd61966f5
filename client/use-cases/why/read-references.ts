import pMap from 'p-map';
import { ApiError } from '../../../cluster/errors.ts';
import { listAll } from '../../../cluster/list-all.ts';
import { readClaim } from '../../../cluster/read-claim.ts';
import type { Reading } from '../../../cluster/reading.ts';
import type { ClaimObjects } from '../../../contracts/claim-objects.ts';
import {
  CONFIG_MAPS,
  CSI_DRIVERS,
  DEVICE_CLASSES,
  type KubeObject,
  PRIORITY_CLASSES,
  RESOURCE_CLAIM_TEMPLATES,
  RESOURCE_CLAIMS,
  type Resource,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_ACCOUNTS,
  STORAGE_CLASSES,
  VOLUME_CLAIMS,
  VOLUMES,
} from '../../../contracts/kubernetes.ts';
import { type Claims, claimsOf } from '../../../explain/claims.ts';
import { isBoundWithFirstPod } from '../../../explain/later-volumes.ts';
import { deviceClassesOf, type NamedByPods, namedInPods } from '../../../explain/named-in-pods.ts';
import type { OwnPod } from '../../../explain/shape.ts';
import type { MissingReference } from '../../../explain/situation.ts';
import { compareText } from '../../../language/compare-text.ts';
import { nearest } from '../../../language/did-you-mean.ts';
import { asFields } from '../../../language/fields.ts';

const AT_ONCE = 8;

/** Looks for the objects that pods name. `made`: names of those that the job makes itself. */
export async function readReferences(
  reading: Reading,
  pods: readonly OwnPod[],
  { namespace, made }: { readonly namespace: string; readonly made: ReadonlySet<string> },
): Promise<References> {
  const wanted = namedInPods(pods).filter(({ resource, name }) => !made.has(`${resource.kind}/${name}`));
  const isClaim = ({ resource }: NamedByPods) => resource === VOLUME_CLAIMS;
  const [mounted, others, keys, classes] = await Promise.all([
    pMap(
      wanted.filter(isClaim),
      async ({ name, of, pods: count }) => ({
        ...{ name, of, pods: count },
        objects: await withVolumes(reading, await readClaim(reading, namespace, name)),
      }),
      { concurrency: AT_ONCE },
    ),
    pMap(
      wanted.filter((one) => !isClaim(one)),
      async (one) => ((await isMissing(reading, one, namespace)) ? [one] : []),
      { concurrency: AT_ONCE },
    ),
    pMap(wanted, (one) => missingKeys(reading, one, namespace), { concurrency: AT_ONCE }),
    pMap(
      wanted.filter(({ resource }) => ofDevices(resource)),
      (one) => missingClasses(reading, one, namespace),
      { concurrency: AT_ONCE },
    ),
  ]);
  const claims = claimsOf(mounted);
  const absent = others.flat();
  const required = absent.filter(({ isOptional }) => !isOptional).map(missingReference);
  const missing = [...claims.missing, ...required, ...classes.flat()];
  const near = await pMap(missing, (one) => nearName(reading, one, namespace), { concurrency: AT_ONCE });
  return {
    ...claims,
    missing: [...near, ...keys.flat()].sort((a, b) => compareText(a.name, b.name)),
    notes: absent.filter(({ isOptional }) => isOptional).map(noteOf),
  };
}

/** Volumes that somebody made are nobody's until a pod comes, and others are made only then. */
async function withVolumes(reading: Reading, objects: ClaimObjects): Promise<ClaimObjects> {
  const { storageClass } = objects;
  if (typeof storageClass !== 'object' || !isBoundWithFirstPod(storageClass)) return objects;
  const listed = await reading.orElse(
    listAll<KubeObject>(reading.cluster, { resource: VOLUMES }),
    undefined,
    'on which nodes claims can be bound with their first pod is not known: PersistentVolumes may not be listed',
  );
  return { ...objects, volumes: listed?.objects, driver: await driverOf(reading, storageClass) };
}

/** Those that Kubernetes has itself are no objects. */
async function driverOf(reading: Reading, { provisioner }: KubeObject) {
  if (typeof provisioner !== 'string' || provisioner.includes('/')) return undefined;
  return reading.orElse<KubeObject | 'unknown' | undefined>(
    reading.cluster.find(CSI_DRIVERS, undefined, provisioner),
    'unknown',
    'where volumes can be made is not known: CSIDrivers may not be read',
  );
}

interface References extends Claims {
  /** Of what does not exist and need not. */
  readonly notes: readonly string[];
}

const missingReference = ({ resource: { kind }, name, of }: NamedByPods): MissingReference => ({
  ...{ kind, name, of },
});

/** Of a ConfigMap that exists. What Secrets contain is not read. */
async function missingKeys(
  reading: Reading,
  { resource, name, keys }: NamedByPods,
  namespace: string,
): Promise<readonly MissingReference[]> {
  if (keys.length === 0) return [];
  const { kind } = resource;
  const wanted = keys.map(({ key }) => key).join(', ');
  if (resource !== CONFIG_MAPS) {
    reading.note(`whether ${kind} ${name} has ${wanted} is not known: contents of Secrets are not read`);
    return [];
  }
  const unread = `whether ${kind} ${name} has ${wanted} is not known: it may not be read`;
  const found = await reading.orElse(reading.cluster.find(CONFIG_MAPS, namespace, name), undefined, unread);
  if (!found) return [];
  const there = [...Object.keys(found.data ?? {}), ...Object.keys(asFields(found.binaryData))].sort(
    compareText,
  );
  return keys
    .filter(({ key }) => !there.includes(key))
    .map(({ key, of }) => {
      const near = nearest(key, there);
      const like = near === undefined ? { there: there.slice(0, MOST_THERE) } : { near };
      return { ...{ kind, name, of, key }, ...like };
    });
}

const ofDevices = (resource: Resource): boolean =>
  resource === RESOURCE_CLAIMS || resource === RESOURCE_CLAIM_TEMPLATES;

/** Returns the device classes that a claim or its template names and that do not exist. */
async function missingClasses(
  reading: Reading,
  { resource, name }: NamedByPods,
  namespace: string,
): Promise<readonly MissingReference[]> {
  const { cluster } = reading;
  const unread = `which device classes ${resource.kind} ${name} names is not known: it may not be read`;
  const claim = await reading.orElse(cluster.find(resource, namespace, name), undefined, unread);
  const missing = await pMap(
    deviceClassesOf(claim),
    async (deviceClass): Promise<readonly MissingReference[]> => {
      const of = `${resource.kind} ${name}`;
      const wanted = { resource: DEVICE_CLASSES, name: deviceClass, of, pods: 1, keys: [] };
      return (await isMissing(reading, wanted, namespace)) ? [missingReference(wanted)] : [];
    },
    { concurrency: AT_ONCE },
  );
  return missing.flat();
}

const noteOf = ({ resource: { kind }, name, of }: NamedByPods): string =>
  `the ${kind} ${name} does not exist; ${of} names it, and the pods start without it`;

/** Adds the name that was probably meant, as far as objects of the kind may be listed. */
async function nearName(
  { cluster }: Reading,
  missing: MissingReference,
  namespace: string,
): Promise<MissingReference> {
  const resource = BY_KIND.get(missing.kind);
  if (!resource) return missing;
  const selection = resource.namespaced ? { namespace } : {};
  try {
    const { objects } = await listAll<KubeObject>(cluster, { resource, selection, metadataOnly: true });
    const names = objects.map(({ metadata }) => metadata.name);
    const near = nearest(missing.name, names);
    if (near !== undefined) return { ...missing, near };
    if (resource.namespaced) return missing;
    const there = names.filter((name) => !name.startsWith('system-')).sort(compareText);
    return there.length > 0 ? { ...missing, there: there.slice(0, MOST_THERE) } : missing;
  } catch (error) {
    // That the name is wrong is said without it, too.
    if (error instanceof ApiError) return missing;
    throw error;
  }
}

const MOST_THERE = 3;

/** Whose names are listed where one does not exist. */
const BY_KIND: ReadonlyMap<string, Resource> = new Map(
  [
    ...[CONFIG_MAPS, SECRETS, SERVICE_ACCOUNTS, VOLUME_CLAIMS, RESOURCE_CLAIMS, RESOURCE_CLAIM_TEMPLATES],
    ...[PRIORITY_CLASSES, RUNTIME_CLASSES, STORAGE_CLASSES, DEVICE_CLASSES],
  ].map((resource): [string, Resource] => [resource.kind, resource]),
);

/** Reads metadata only: nobody needs the content of Secrets for this. */
async function isMissing(
  reading: Reading,
  { resource, name }: NamedByPods,
  namespace: string,
): Promise<boolean> {
  const { cluster } = reading;
  const place = resource.namespaced ? namespace : undefined;
  return reading.orElse(
    // Resource claims have had other versions: the cluster may serve one that is not known here.
    cluster
      .find(resource, place, name, { metadataOnly: true })
      .then(async (found) => !found && (await cluster.serves(resource))),
    false,
    `whether ${resource.kind} ${name} exists is not known: it may not be read`,
  );
}
