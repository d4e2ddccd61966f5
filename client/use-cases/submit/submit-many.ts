import { InvalidManifestError } from '../../errors/errors.ts';
import { faultsWithSharedKey } from '../../manifests/generated-name.ts';
import type { SubmitManyOptions } from '../../servers/client-settings.ts';
import { inFlight, type Settled } from '../../servers/in-flight.ts';
import type { SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { submitManifest } from './submit-manifest.ts';

/** Starts the jobs of manifests, or finds them started, several at once. Yields what became of each as it is known. */
export function submitMany<M extends object>(
  ports: ClientPorts,
  manifests: Iterable<M> | AsyncIterable<M>,
  options: SubmitManyOptions,
): AsyncGenerator<Settled<M, SubmittedJob>> {
  const submit = async (manifest: M) => {
    const faults = faultsWithSharedKey(manifest, options.key);
    if (faults.length > 0) throw new InvalidManifestError(faults);
    return submitManifest(ports, manifest, options);
  };
  return inFlight(manifests, submit, options);
}
