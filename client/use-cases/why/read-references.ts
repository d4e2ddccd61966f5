import pMap from 'p-map';
import { readClaim } from '../../../cluster/read-claim.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { VOLUME_CLAIMS } from '../../../contracts/kubernetes.ts';
import { type Claims, claimsOf } from '../../../explain/claims.ts';
import { type NamedByPods, namedInPods } from '../../../explain/named-in-pods.ts';
import type { OwnPod } from '../../../explain/shape.ts';
import type { MissingReference } from '../../../explain/situation.ts';
import { compareText } from '../../../language/compare-text.ts';

const AT_ONCE = 8;

/** Looks for the objects that pods name. `made`: names of those that the job makes itself. */
export async function readReferences(
  reading: Reading,
  pods: readonly OwnPod[],
  { namespace, made }: { readonly namespace: string; readonly made: ReadonlySet<string> },
): Promise<Claims> {
  const wanted = namedInPods(pods).filter(({ resource, name }) => !made.has(`${resource.kind}/${name}`));
  const isClaim = ({ resource }: NamedByPods) => resource === VOLUME_CLAIMS;
  const [mounted, others] = await Promise.all([
    pMap(
      wanted.filter(isClaim),
      async ({ name, of }) => ({ name, of, objects: await readClaim(reading, namespace, name) }),
      { concurrency: AT_ONCE },
    ),
    pMap(
      wanted.filter((one) => !isClaim(one)),
      async (one) => ((await isMissing(reading, one, namespace)) ? [missingReference(one)] : []),
      { concurrency: AT_ONCE },
    ),
  ]);
  const claims = claimsOf(mounted);
  const missing = [...claims.missing, ...others.flat()];
  return { ...claims, missing: missing.sort((a, b) => compareText(a.name, b.name)) };
}

const missingReference = ({ resource: { kind }, name, of }: NamedByPods): MissingReference => ({
  ...{ kind, name, of },
});

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
