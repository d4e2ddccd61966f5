import { ANNOTATIONS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { parseManifest } from '../frameworks/parse-manifest.ts';
import { AUTO_ORDER, GANG_ADAPTERS } from '../gang/registry.ts';
import type { WorkflowIdentity } from '../resources/anchor.ts';
import { claimName } from './claim-name.ts';
import type { Dependencies } from './dependencies.ts';
import { InvalidManifestError } from './failures.ts';

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
  const parsed = parseManifest(manifest, { namespace: dependencies.namespace });
  if ('faults' in parsed) throw new InvalidManifestError(parsed.faults);
  const { job } = parsed;
  const gang = await chooseGang(dependencies, job);
  const anchorUid = await claimName(dependencies, job, identity);
  return { job, anchorUid, gang };
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
