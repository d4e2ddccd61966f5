import { InvalidManifestError } from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import { hasGeneratedName } from '../../manifests/generated-name.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { validateManifest } from '../../manifests/offline/validate.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { applyJob } from './apply-job.ts';
import type { ApplyOptions } from './apply-options.ts';

/** Makes the job of a name what its manifest says: starts it, changes the live one, or leaves it as it is. */
export function applyManifest(
  ports: ClientPorts,
  manifest: object,
  options: ApplyOptions,
): ReturnType<typeof applyJob> {
  const { namespace = ports.namespace } = options;
  return applyJob(ports, manifestToApply(manifest, { ...options, namespace }), options);
}

/** Returns the manifest as it is applied. Throws `InvalidManifestError` with all faults. */
export function manifestToApply(
  manifest: unknown,
  { strict, namespace }: Pick<ApplyOptions, 'strict'> & { readonly namespace: string },
): Manifest {
  if (hasGeneratedName(manifest)) throw withoutName();
  const validate = (named: object) => validateManifest(named, { strict }).faults;
  return checkedManifest(manifest, { namespace, validate });
}

const withoutName = () =>
  new InvalidManifestError([
    { path: 'metadata.name', expected: 'a name, by which apply finds the job', got: 'a generateName' },
  ]);
