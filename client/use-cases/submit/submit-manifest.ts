import { withReferences } from '../../../contracts/references.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import type { FoundReferences } from '../../manifests/references-of-cluster.ts';
import type { SubmitOptions } from '../../servers/client-settings.ts';
import type { SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { submitJob } from './submit-job.ts';

/** Starts the job of a manifest, or finds it already started. */
export async function submitManifest(
  ports: ClientPorts,
  manifest: object,
  options: SubmitOptions,
): Promise<SubmittedJob> {
  const { workflowId, key, labels, why, rerun = false, rerunOf } = options;
  // A rerun of a recorded job may have a key: it is a submission of its own.
  if (rerun && key !== undefined && rerunOf === undefined) throw rerunWithKey();
  const { namespace = ports.namespace, strict = true } = options;
  const { references, validate } = await checksOf(ports, manifest, namespace);
  const checked = checkedManifest(manifest, {
    ...{ namespace, key, labels },
    validate: (named) => validate(named, { strict }),
  });
  const submission = { manifest: checked, references, workflowId, key, why, rerun, rerunOf };
  return submitJob(ports, submission, options);
}

interface Checks extends Pick<FoundReferences, 'references'> {
  readonly validate: NonNullable<ClientPorts['validate']>;
}

/** Loaded with the first submission: the validator is large. */
async function checksOf(
  { validate, cluster }: ClientPorts,
  manifest: object,
  namespace: string,
): Promise<Checks> {
  if (validate) return { validate, references: [] };
  const [{ validateManifest }, { mayBeOfNewerKind }, { referencesOfCluster }] = await Promise.all([
    import('../../manifests/offline/validate.ts'),
    import('../../../frameworks/manifest/recognise.ts'),
    import('../../manifests/references-of-cluster.ts'),
  ]);
  const { references, isComplete } = await referencesOfCluster(cluster, manifest, namespace);
  return {
    references,
    // The workers may be newer than this program: they find the faults of a kind that it does not know.
    validate: (named, options) =>
      mayBeOfNewerKind(named)
        ? []
        : validateManifest(withReferences(named, references), { ...options, isComplete }).faults,
  };
}

const rerunWithKey = () =>
  new InvalidManifestError(
    [
      {
        path: 'rerun',
        expected: 'no rerun with a key, as a key that was used finds its run again',
        got: 'true',
      },
    ],
    [],
    { of: 'submit' },
  );
