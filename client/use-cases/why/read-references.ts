import pMap from 'p-map';
import { type KubeObject, STORAGE_CLASSES, VOLUME_CLAIMS, VOLUMES } from '../../../contracts/kubernetes.ts';
import type { ClaimPlace, ClaimPlaces, OwnPod } from '../../../explain/shape.ts';
import type { ClusterView, MissingReference, PendingVolume } from '../../../explain/situation.ts';
import { asFields, valueAt } from '../../../language/fields.ts';
import { type NamedObject, namedInPod } from './named-in-pods.ts';
import type { Reading } from './reading.ts';

const AT_ONCE = 8;

type References = Pick<ClusterView, 'missing' | 'volumes'> & { readonly claims: ClaimPlaces };

interface Wanted extends NamedObject {
  readonly role: string;
}

/** Looks for the objects that pods name. `made`: names of those that the job makes itself. */
export async function readReferences(
  reading: Reading,
  pods: readonly OwnPod[],
  { namespace, made }: { readonly namespace: string; readonly made: ReadonlySet<string> },
): Promise<References> {
  const wanted = wantedBy(pods).filter(({ resource, name }) => !made.has(`${resource.kind}/${name}`));
  const claims = new Map<string, ClaimPlace>();
  const missing: MissingReference[] = [];
  const volumes: PendingVolume[] = [];
  await pMap(
    wanted,
    async (one) => {
      const found = await lookFor(reading, one, namespace);
      if (found === 'missing') missing.push(missingReference(one));
      if (one.resource !== VOLUME_CLAIMS || found === 'missing') return;
      if (found === 'unknown') return void claims.set(one.name, 'unknown');
      const state = await stateOfClaim(reading, found);
      if (state.place) claims.set(one.name, state.place);
      if (state.pending) volumes.push(state.pending);
      if (state.missing) missing.push({ ...state.missing, of: `the PersistentVolumeClaim ${one.name}` });
    },
    { concurrency: AT_ONCE },
  );
  const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
    a.name.localeCompare(b.name, 'en');
  return { missing: missing.sort(byName), volumes, claims };
}

/** Each object once, with the first role that names it. Replicas of a role name the same. */
function wantedBy(pods: readonly OwnPod[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const [role, [first]] of Map.groupBy(pods, (pod) => pod.role)) {
    for (const one of namedInPod(first!.spec)) {
      const key = `${one.resource.kind}/${one.name}`;
      if (!wanted.has(key)) wanted.set(key, { ...one, role });
    }
  }
  return [...wanted.values()];
}

const missingReference = ({ resource: { kind }, name, at, role }: Wanted): MissingReference => ({
  kind,
  name,
  of: `${at} of ${role}`,
});

/** Reads metadata only: nobody needs the content of Secrets for this. */
async function lookFor(
  reading: Reading,
  { resource, name }: NamedObject,
  namespace: string,
): Promise<KubeObject | 'missing' | 'unknown'> {
  const { cluster } = reading;
  const metadataOnly = resource !== VOLUME_CLAIMS;
  const place = resource.namespaced ? namespace : undefined;
  return reading.orElse<KubeObject | 'missing' | 'unknown'>(
    cluster.find(resource, place, name, { metadataOnly }).then(async (found) => {
      if (found) return found;
      // Resource claims have had other versions: the cluster may serve one that is not known here.
      return (await cluster.serves(resource)) ? 'missing' : 'unknown';
    }),
    'unknown',
    `whether ${resource.kind} ${name} exists is not known: it may not be read`,
  );
}

interface ClaimState {
  readonly place?: ClaimPlace;
  readonly pending?: PendingVolume;
  readonly missing?: Omit<MissingReference, 'of'>;
}

async function stateOfClaim(reading: Reading, { metadata, spec, status }: KubeObject): Promise<ClaimState> {
  const { volumeName, storageClassName } = asFields(spec);
  const { phase } = asFields(status);
  const pending = (why: string): ClaimState => ({
    pending: { claim: metadata.name, why, since: metadata.creationTimestamp },
  });
  if (phase === 'Lost') return pending('has lost its volume');
  if (phase === 'Bound') return { place: await placeOfVolume(reading, String(volumeName)) };
  if (!storageClassName) return pending('is not bound, and names no StorageClass');
  const storageClass = await reading.orElse<KubeObject | undefined | 'unknown'>(
    reading.cluster.find(STORAGE_CLASSES, undefined, String(storageClassName)),
    'unknown',
    `how ${metadata.name} is bound is not known: StorageClasses may not be read`,
  );
  if (storageClass === 'unknown') return { place: 'unknown' };
  if (!storageClass) {
    return { missing: { kind: STORAGE_CLASSES.kind, name: String(storageClassName) } };
  }
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') return { place: 'later' };
  return pending(`is not bound yet by its StorageClass ${storageClassName}`);
}

/** Returns the nodes that a volume can be used on; undefined for all. */
async function placeOfVolume(reading: Reading, name: string): Promise<ClaimPlace | undefined> {
  const volume = await reading.orElse<KubeObject | undefined | 'unknown'>(
    reading.cluster.find(VOLUMES, undefined, name),
    'unknown',
    'on which nodes volumes can be used is not known: PersistentVolumes may not be read',
  );
  if (volume === 'unknown') return volume;
  const terms = valueAt(volume?.spec, 'nodeAffinity.required.nodeSelectorTerms');
  return Array.isArray(terms) ? terms : undefined;
}
