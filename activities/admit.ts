import { ANNOTATIONS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { type ParsedManifest, parseManifest } from '../frameworks/parse-manifest.ts';
import { AUTO_ORDER, GANG_ADAPTERS } from '../gang/registry.ts';
import type { WorkflowIdentity } from '../resources/anchor.ts';
import { claimName } from './claim-name.ts';
import type { Dependencies } from './dependencies.ts';
import { EngineFaultError, InvalidManifestError } from './failures.ts';

export interface AdmitRequest extends WorkflowIdentity {
  readonly manifest: unknown;
}

export interface Admission {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
}

/** Validates a manifest, fills in defaults, chooses the gang scheduler, and claims the name. Idempotent as the claim is. */
export async function admit(dependencies: Dependencies, request: AdmitRequest): Promise<Admission> {
  const { manifest, ...identity } = request;
  const job = parse(manifest, dependencies.namespace);
  const gang = await chooseGang(dependencies, job);
  const anchorUid = await claimName(dependencies, job, identity);
  return { job, anchorUid, gang };
}

/** A manifest that trips the parser itself would do so at every try: better a job that fails than one that hangs. */
function parse(manifest: unknown, namespace: string): TrainingJob {
  let parsed: ParsedManifest;
  try {
    parsed = parseManifest(manifest, { namespace });
  } catch (error) {
    throw new EngineFaultError('the manifest could not be read', { cause: error });
  }
  if ('faults' in parsed) throw new InvalidManifestError(parsed.faults);
  return parsed.job;
}

async function chooseGang({ cluster }: Dependencies, { gang }: TrainingJob): Promise<GangProvider> {
  const serves = async (provider: GangProvider) => {
    const { resource } = GANG_ADAPTERS[provider];
    return resource === undefined || cluster.serves(resource);
  };
  if (gang.scheduler === 'auto') {
    // One pod is placed or not, with or without a gang.
    const candidates = gang.minMember > 1 ? AUTO_ORDER : (['none'] as const);
    for (const provider of candidates) if (await serves(provider)) return provider;
    return 'none';
  }
  if (await serves(gang.scheduler)) return gang.scheduler;
  const path = `metadata.annotations[${ANNOTATIONS.gang}]`;
  const expected = 'a gang scheduler whose API this cluster serves';
  throw new InvalidManifestError([{ path, expected, got: gang.scheduler }]);
}
