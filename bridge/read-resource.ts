import { InvalidManifestError } from '../client/errors/errors.ts';
import { checkedManifest } from '../client/manifests/checked-manifest.ts';
import type { Manifest } from '../client/manifests/named-manifest.ts';
import { validateManifest } from '../client/manifests/offline/validate.ts';
import { manifestOfResource } from '../contracts/job-resources.ts';
import { identityOfResource } from '../contracts/resource-identity.ts';
import type { Fault, ResourceIdentity } from '../contracts/types.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import { type ResourceFacts, resourceOfFacts } from './resource-facts.ts';

type ReadResource = {
  readonly identity: ResourceIdentity;
  readonly resourceVersion: string;
} & Checked;

type Checked = { readonly manifest: Manifest } | { readonly faults: readonly Fault[] };

/** Reads a resource as it is now, and checks what it says; undefined if it is another one. */
export async function readResource(
  cluster: LeaderTools['cluster'],
  resource: ResourceFacts,
): Promise<ReadResource | undefined> {
  const { namespace, name, uid } = resource;
  const whole = await cluster.get(resourceOfFacts(resource), namespace, name);
  if (whole.metadata.uid !== uid) return undefined;
  const written = { ...whole, ...resourceOfFacts(resource) };
  const { resourceVersion = '' } = whole.metadata;
  return { identity: identityOfResource(written), resourceVersion, ...checked(written, namespace) };
}

function checked(written: Parameters<typeof manifestOfResource>[0], namespace: string): Checked {
  try {
    // What the API server has accepted is not refused: the status warns of it.
    const validate = (manifest: unknown) => validateManifest(manifest, { namespace, strict: false }).faults;
    return { manifest: checkedManifest(manifestOfResource(written), { namespace, validate }) };
  } catch (error) {
    if (!(error instanceof InvalidManifestError)) throw error;
    return { faults: error.faults };
  }
}
