import { z } from 'zod';
import type { Fault } from '../contracts/faults.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import {
  type Conventions,
  DEFAULT_CONVENTIONS,
  GANG_CHOICES,
  type TrainingJob,
} from '../contracts/training-job.ts';
import type { Policies } from './dialect.ts';
import { describe, distinct, faultsOf } from './faults.ts';
import type { Draft, Framework } from './framework.ts';
import { gangOf } from './gang-request.ts';
import { metadata } from './manifest-schema.ts';
import { planOf } from './plan.ts';
import { frameworkFor } from './recognise.ts';
import { parseRoles } from './roles.ts';
import { faultOfUnknown, formatUnknown, unknownFields } from './unknown-fields.ts';
import { warningsOf } from './warnings.ts';
import { withoutNulls } from './without-nulls.ts';

export type ParsedManifest = { readonly job: TrainingJob } | Refusal;

export interface Refusal {
  readonly faults: readonly Fault[];
  /** What may explain them: fields that nobody reads. */
  readonly warnings: readonly string[];
}

/** What a manifest leaves to whoever reads it. */
export interface ManifestDefaults {
  readonly namespace: string;
  readonly conventions?: Partial<Conventions>;
  /** Fields that nobody reads are faults; warnings otherwise. */
  readonly strict?: boolean;
}

/**
 * A manifest of any supported kind as a job: validated, with defaults filled in. All faults are told at once.
 *
 * @example
 * const parsed = parseManifest(manifest, { namespace: 'ml' });
 * if ('faults' in parsed) console.error(parsed.faults.map(formatFault).join('\n'));
 */
export function parseManifest(given: unknown, defaults: ManifestDefaults): ParsedManifest {
  const manifest = withoutNulls(given);
  const framework = frameworkFor(manifest);
  if (Array.isArray(framework)) return { faults: framework, warnings: [] };
  const unknown = unknownFields(framework, manifest);
  const strictFaults = defaults.strict ? unknown.map(faultOfUnknown) : [];
  const read = readDraft(framework, manifest, defaults);
  if ('faults' in read || strictFaults.length) {
    const faults = [...('faults' in read ? read.faults : []), ...strictFaults];
    return { faults, warnings: defaults.strict ? [] : unknown.map(formatUnknown) };
  }
  const { draft, policies } = read;
  const completed = { ...draft, ...framework.complete?.(draft) };
  const plan = planOf(framework, completed);
  const job: TrainingJob = {
    ...completed,
    apiVersion: framework.apiVersion,
    kind: framework.kind,
    gang: gangOf(framework, { ...completed, plan }, policies),
    plan,
    warnings: [],
  };
  return { job: { ...job, warnings: warningsOf(framework, manifest as Record<string, unknown>, job) } };
}

interface Read {
  readonly draft: Draft;
  readonly policies: Policies;
}

/** What the fields say, if each is valid by itself and all are together; or all that is wrong. */
function readDraft(
  framework: Framework,
  manifest: unknown,
  defaults: ManifestDefaults,
): Read | { readonly faults: readonly Fault[] } {
  const { spec } = manifest as { readonly spec?: unknown };
  const shape = z.looseObject({ metadata, spec: specShape(framework) }).safeParse(manifest);
  const options = framework.options.safeParse(spec);
  const rolesFaults: Fault[] = [];
  const roles = parseRoles(framework, manifest, rolesFaults);
  const faults = [
    ...(shape.success ? checkShape(framework, shape.data) : faultsOf(shape.error, manifest)),
    ...(options.success ? [] : faultsOf(options.error, spec, 'spec')),
    ...rolesFaults,
  ];
  if (!shape.success || !options.success || rolesFaults.length) return { faults: distinct(faults) };
  const { name, namespace = defaults.namespace, annotations = {} } = shape.data.metadata;
  const policies = framework.dialect.policies(shape.data.spec);
  const conventions = { ...DEFAULT_CONVENTIONS, ...defaults.conventions };
  const { runPolicy } = policies;
  const draft = { name, namespace, annotations, roles, options: options.data, runPolicy, conventions };
  faults.push(...(framework.check?.(draft) ?? []));
  return faults.length ? { faults } : { draft, policies };
}

const checkShape = (
  { dialect }: Framework,
  { metadata, spec }: { metadata: { annotations?: Record<string, string> }; spec: Record<string, unknown> },
): Fault[] => [...dialect.check(spec), ...checkGang(metadata.annotations ?? {})];

/** Roles are only looked at one by one, so that each is told by its own path. */
function specShape({ dialect, replicaSpecs }: Framework): z.ZodType<Record<string, unknown>> {
  if (!replicaSpecs) return dialect.spec;
  const roles = z.looseObject({ [replicaSpecs]: z.record(z.string(), z.unknown()) });
  return z.intersection(dialect.spec, roles);
}

function checkGang(annotations: Readonly<Record<string, string>>): Fault[] {
  const choice = annotations[ANNOTATIONS.gang];
  if (choice === undefined || (GANG_CHOICES as readonly string[]).includes(choice)) return [];
  return [
    {
      path: `metadata.annotations[${ANNOTATIONS.gang}]`,
      expected: `one of ${GANG_CHOICES.join(', ')}`,
      got: describe(choice),
    },
  ];
}
