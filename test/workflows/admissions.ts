import type { Begun } from '../../activities/first-effects.ts';
import type { PlannedRevision } from '../../contracts/job-revision.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { ANCHOR } from '../machines/builders.ts';
import { type Manifest, simulatedJob, withPolicy } from '../scenarios/manifests.ts';

type JobOptions = Partial<Parameters<typeof simulatedJob>[0]> & { readonly policy?: object };

/** A PyTorchJob `ml/resnet` with a Master and two Workers, by default. */
export function aManifest({ policy, ...options }: JobOptions = {}): Manifest {
  const manifest = simulatedJob({ name: 'resnet', namespace: 'ml', ...options });
  return policy ? withPolicy(manifest, policy) : manifest;
}

/** A later revision of the job, with the plan of a manifest. */
export function aRevision(manifest: Manifest, number = 2): PlannedRevision {
  const { plan, revision } = anAdmission(manifest);
  return { plan, revision: { ...revision, number, sha256: `hash-${number}` } };
}

/** The admission of a manifest in a cluster without a gang scheduler, with nothing done yet. */
export function anAdmission(manifest: Manifest = aManifest()): Begun {
  const parsed = parseManifest(manifest, { namespace: 'default', conventions: DEFAULT_CONVENTIONS });
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  const { plan, warnings, namespace, conventions } = parsed.job;
  return {
    plan,
    revision: { number: 1, sha256: 'hash-1', warnings },
    anchorUid: ANCHOR,
    clusterId: 'cluster-1',
    gang: 'none',
    settings: { namespace, conventions, gangWarnings: [] },
    done: [],
  };
}
