import { InvalidManifestError } from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import { hasGeneratedName } from '../../manifests/generated-name.ts';
import { validateManifest } from '../../manifests/offline/validate.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { type Applied, applyJob } from './apply-job.ts';
import type { ApplyOptions } from './apply-options.ts';

/** Makes the job of a name what its manifest says: starts it, changes the live one, or leaves it as it is. */
export async function applyManifest(
  ports: ClientPorts,
  manifest: object,
  options: ApplyOptions,
): Promise<Applied> {
  if (hasGeneratedName(manifest)) throw withoutName();
  const { strict, namespace = ports.namespace } = options;
  const validate = (named: object) => validateManifest(named, { strict }).faults;
  return applyJob(ports, checkedManifest(manifest, { namespace, validate }), options);
}

const withoutName = () =>
  new InvalidManifestError([
    { path: 'metadata.name', expected: 'a name, by which apply finds the job', got: 'a generateName' },
  ]);
