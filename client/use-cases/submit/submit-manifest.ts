import { InvalidManifestError } from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
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
  const validate = await validatorOf(ports);
  const checked = checkedManifest(manifest, {
    ...{ namespace, key, labels },
    validate: (named) => validate(named, { strict }),
  });
  return submitJob(ports, { manifest: checked, workflowId, key, why, rerun, rerunOf }, options);
}

/** Loaded with the first submission: the validator is large. */
async function validatorOf({ validate }: ClientPorts): Promise<NonNullable<ClientPorts['validate']>> {
  if (validate) return validate;
  const [{ validateManifest }, { mayBeOfNewerKind }] = await Promise.all([
    import('../../manifests/offline/validate.ts'),
    import('../../../frameworks/manifest/recognise.ts'),
  ]);
  // The workers may be newer than this program: they find the faults of a kind that it does not know.
  return (manifest, options) =>
    mayBeOfNewerKind(manifest) ? [] : validateManifest(manifest, options).faults;
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
