import { type Applied, applyJob } from '../../apply/apply-job.ts';
import type { ApplyOptions } from '../../apply/apply-options.ts';
import { InvalidManifestError } from '../../errors.ts';
import { hasGeneratedName } from '../../generated-name.ts';
import { checkedManifest } from '../../manifest.ts';
import { validateManifest } from '../../offline/validate.ts';
import type { ClientPorts } from '../../servers/ports.ts';

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
