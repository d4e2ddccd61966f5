import { z } from 'zod';
import { pathOf } from '../../cluster/wire.ts';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import { type ConfigMap, sharedResourceOf } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { findFramework, frameworkOf } from '../../frameworks/kinds/registry.ts';
import { mainContainerOf } from '../../frameworks/model/main-container.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { compilePattern } from '../../language/pattern.ts';
import { renderHostList, renderShared } from '../../resources/shared.ts';

/**
 * Returns the job that is stored in an anchor. Anyone who may write ConfigMaps in the namespace can write an anchor, so
 * it is trusted only for the job of its own name and namespace, and only if its objects can be derived from it: what
 * fails once would fail in each try of an orphan clean-up. Undefined otherwise.
 */
export function recordedJob({ metadata, data }: ConfigMap): TrainingJob | undefined {
  const name = metadata.labels?.[LABELS.job];
  if (!name || metadata.name !== anchorNameOf(name)) return undefined;
  const job = parseJob(data?.job);
  const isOwn = job?.name === name && job.namespace === metadata.namespace;
  return isOwn && findFramework(job.apiVersion, job.kind) && isUsable(job) ? job : undefined;
}

/** Returns the gang scheduler that an anchor names. */
export function gangOfAnchor({ metadata }: ConfigMap): GangProvider {
  const { gang = '' } = parseAnchorRecord(metadata.annotations);
  return Object.hasOwn(GANG_ADAPTERS, gang) ? (gang as GangProvider) : 'none';
}

function parseJob(text: string | undefined): TrainingJob | undefined {
  try {
    return JSON.parse(text ?? '') as TrainingJob;
  } catch {
    return undefined;
  }
}

function isUsable(job: TrainingJob): boolean {
  try {
    used.parse(job);
    deriveAll(job);
    return true;
  } catch {
    return false;
  }
}

/** The fields that orphan clean-up and expiry read themselves, within the limits of a manifest: a host list has a line per pod. */
const used = z.looseObject({
  roles: z
    .array(
      z.looseObject({
        name: z.string(),
        replicas: z.int().min(0).max(150_000),
        template: z.looseObject({ spec: z.looseObject({ containers: z.array(z.unknown()).min(1) }) }),
      }),
    )
    .max(20),
  plan: z.looseObject({
    runPolicy: z.looseObject({ ttlSecondsAfterFinished: z.int().min(0).max(2_147_483_647).optional() }),
    policy: z
      .looseObject({
        failures: z.looseObject({
          rules: z.array(z.looseObject({ pattern: z.string().optional() })).max(50),
        }),
        evidence: z.looseObject({ logLines: z.int().min(0) }),
      })
      .optional(),
  }),
});

/** Throws if something cannot be derived from the job that an orphan clean-up needs. */
function deriveAll(job: TrainingJob): void {
  const framework = frameworkOf(job);
  for (const { template } of job.roles) mainContainerOf(template, framework);
  for (const { pattern } of job.plan.policy?.failures.rules ?? [])
    if (pattern !== undefined) compilePattern(pattern);
  for (const object of [...renderShared(job, ''), ...renderHostList(job, '', [])])
    pathOf(sharedResourceOf(object), job.namespace, object.metadata.name);
}
