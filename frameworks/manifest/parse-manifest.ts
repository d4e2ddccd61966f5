import { z } from 'zod';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { withoutLastApplied } from '../../contracts/last-applied.ts';
import { checkManifestSize } from '../../contracts/manifest-size.ts';
import { checkNesting } from '../../contracts/nesting.ts';
import { referencesOf, titleOfReference } from '../../contracts/references.ts';
import {
  type Conventions,
  DEFAULT_CONVENTIONS,
  GANG_CHOICES,
  type TrainingJob,
} from '../../contracts/training-job.ts';
import type { Fault, Policy, ResourceIdentity } from '../../contracts/types.ts';
import type { Fields } from '../../language/fields.ts';
import { isOneOf } from '../../language/one-of.ts';
import { withoutNulls } from '../../language/without-nulls.ts';
import { describeValue, distinct, faultsOf } from '../fields/faults.ts';
import { metadata } from '../fields/manifest-schema.ts';
import { faultOfUnknown, formatUnknown, unknownFields } from '../fields/unknown-fields.ts';
import type { Policies } from '../model/dialect.ts';
import { type Draft, type Framework, listOfRoles } from '../model/framework.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import type { Subject } from '../policy/rules.ts';
import { checkArtifacts } from './declared-artifacts.ts';
import { gangOf, sparesInKueue } from './gang-request.ts';
import { illFormedText } from './ill-formed-text.ts';
import { planOf } from './plan.ts';
import { frameworkFor } from './recognise.ts';
import { joinReferences } from './references.ts';
import { parseRoles } from './roles.ts';
import { withTemplateHint } from './template-variables.ts';
import { warningsOf } from './warnings.ts';

export type ParsedManifest = { readonly job: TrainingJob } | RejectedManifest;

interface RejectedManifest {
  readonly faults: readonly Fault[];
  /** Unknown fields, which may explain the faults. */
  readonly warnings: readonly string[];
}

/** Values for what a manifest leaves open. */
interface ManifestDefaults {
  readonly namespace: string;
  readonly conventions?: Partial<Conventions>;
  /** Report unknown fields as faults instead of warnings. */
  readonly strict?: boolean;
  /** An API server is asked about the pods of a valid job: unknown fields of these are not reported. */
  readonly podsAreTried?: boolean;
  /** The custom resource that it is from. */
  readonly resource?: ResourceIdentity;
}

/**
 * Parses a manifest of any supported kind into a job with defaults filled in. Reports all faults at once.
 *
 * @example
 * const parsed = parseManifest(manifest, { namespace: 'ml' });
 * if ('faults' in parsed) console.error(parsed.faults.map(formatFault).join('\n'));
 */
export function parseManifest(given: unknown, defaults: ManifestDefaults): ParsedManifest {
  const tooDeep = checkNesting(given);
  if (tooDeep.length) return { faults: tooDeep, warnings: [] };
  const submitted = withoutLastApplied(given);
  const tooLarge = checkManifestSize(submitted);
  if (tooLarge.length) return { faults: tooLarge, warnings: [] };
  const illFormed = illFormedText(submitted);
  if (illFormed.length) return { faults: illFormed, warnings: [] };
  const manifest = withoutNulls(submitted);
  const framework = frameworkFor(manifest);
  if (Array.isArray(framework)) return { faults: framework, warnings: [] };
  const joined = joinReferences(framework, manifest as Fields);
  if ('faults' in joined) return { faults: joined.faults, warnings: [] };
  const parsed = parseJoined(framework, joined.manifest, defaults);
  return 'faults' in parsed ? { ...parsed, faults: asWritten(framework, parsed.faults) } : parsed;
}

/** The paths of faults as a user finds them. Fields that are missing as a whole follow from another fault. */
function asWritten({ references }: Framework, faults: readonly Fault[]): readonly Fault[] {
  if (!references) return faults;
  const joined = references.fields.map((field) => `spec.${field}`);
  const own = faults.filter(({ path }) => !joined.includes(path));
  return distinct(
    (own.length > 0 ? own : faults).map((fault) => ({ ...fault, path: references.pathOf(fault.path) })),
  );
}

function parseJoined(framework: Framework, manifest: Fields, defaults: ManifestDefaults): ParsedManifest {
  const read = readDraft(framework, manifest, defaults);
  const unknown = reportedFields(framework, manifest, { ...defaults, isValid: !('faults' in read) });
  const strictFaults = defaults.strict ? unknown.map(faultOfUnknown) : [];
  if ('faults' in read || strictFaults.length) {
    const faults = [...('faults' in read ? read.faults : []), ...strictFaults];
    return {
      faults: faults.map(withTemplateHint),
      warnings: defaults.strict ? [] : unknown.map(formatUnknown),
    };
  }
  const { draft, labels, policies, policy } = read;
  const completed = { ...draft, ...framework.complete?.(draft) };
  const plan = planOf(framework, completed, policy);
  const gang = gangOf(framework, { ...completed, plan }, { policies, labels });
  const { runPolicy: _, minMember: __, ...described } = completed;
  const job: TrainingJob = {
    ...described,
    apiVersion: framework.apiVersion,
    kind: framework.kind,
    gang,
    plan: {
      ...plan,
      ...titlesOf(manifest),
      minMember: gang.minMember,
      ...(gang.minResources ? { minResources: gang.minResources } : {}),
    },
    warnings: [],
    ...(defaults.resource ? { resource: defaults.resource } : {}),
  };
  const warnings = warningsOf(framework, manifest as Record<string, unknown>, job);
  return { job: { ...job, warnings: [...unknown.map(formatUnknown), ...warnings] } };
}

/** Names what the job was made from, beside its manifest. */
function titlesOf(manifest: Fields): Pick<TrainingJob['plan'], 'references'> {
  const titles = referencesOf(manifest).map(titleOfReference);
  return titles.length > 0 ? { references: titles } : {};
}

/** Leaves out unknown fields of pods if an API server will be asked about them: it may be newer. */
function reportedFields(
  framework: Framework,
  manifest: unknown,
  { strict, podsAreTried, isValid }: Pick<ManifestDefaults, 'strict' | 'podsAreTried'> & { isValid: boolean },
) {
  const unknown = unknownFields(framework, manifest);
  const others = unknown.filter(({ of }) => of !== 'pod');
  const willBeTried = podsAreTried && isValid && !(strict && others.length > 0);
  return willBeTried ? others : unknown;
}

interface Read {
  readonly draft: Draft;
  /** Of the job. */
  readonly labels: Readonly<Record<string, string>>;
  readonly policies: Policies;
  readonly policy: Policy | undefined;
}

/**
 * Returns the draft if all fields are valid, alone and together; otherwise all faults. Checks roles and options
 * together as soon as both are valid, whatever is wrong elsewhere.
 */
function readDraft(
  framework: Framework,
  manifest: unknown,
  defaults: ManifestDefaults,
): Read | { readonly faults: readonly Fault[] } {
  const given = manifest as { readonly metadata?: unknown; readonly spec?: unknown };
  const faults: Fault[] = [];
  const about = parsedFields(metadata, { value: given.metadata, path: 'metadata' }, faults) ?? { name: '' };
  const spec = parsedFields(specShape(framework), { value: given.spec, path: 'spec' }, faults) ?? {};
  const options = parsedFields(framework.options, { value: given.spec, path: 'spec' }, faults);
  const rolesFaults: Fault[] = [];
  const roles = parseRoles(framework, manifest, rolesFaults);
  const { namespace = defaults.namespace, labels = {}, annotations = {} } = about;
  faults.push(
    ...rolesFaults,
    ...framework.dialect.check(spec),
    ...checkGang(annotations),
    ...checkArtifacts(annotations),
  );
  const policy = readPolicy(annotations, rolesFaults.length ? undefined : { roles, framework }, faults);
  if (policy?.spares) faults.push(...sparesInKueue(labels, annotations));
  if (!options || rolesFaults.length) return { faults: distinct(faults) };
  const policies = framework.dialect.policies(spec);
  const conventions = { ...DEFAULT_CONVENTIONS, ...defaults.conventions };
  const { runPolicy, gang } = policies;
  const { minMember } = gang;
  const draft = {
    name: about.name,
    namespace,
    annotations,
    roles,
    options,
    runPolicy,
    minMember,
    conventions,
  };
  faults.push(...(framework.check?.(draft) ?? []));
  return faults.length ? { faults: distinct(faults) } : { draft, labels, policies, policy };
}

/** Returns the parsed value; if it is invalid, adds its faults and returns undefined. */
function parsedFields<T>(
  schema: z.ZodType<T>,
  { value, path }: { readonly value: unknown; readonly path: string },
  faults: Fault[],
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  faults.push(...faultsOf(result.error, value, path));
  return undefined;
}

/** `subject` is undefined if the roles have faults. */
function readPolicy(
  annotations: Draft['annotations'],
  subject: Subject | undefined,
  faults: Fault[],
): Policy | undefined {
  const text = annotations[ANNOTATIONS.policy];
  if (text === undefined) return undefined;
  const read = parsePolicy(text, subject);
  if ('policy' in read) return read.policy;
  faults.push(...read.faults);
  return undefined;
}

/** Roles are checked one by one, so that each fault has its own path. */
function specShape(framework: Framework): z.ZodType<Record<string, unknown>> {
  const { dialect, replicaSpecs } = framework;
  if (!replicaSpecs) return dialect.spec;
  const list = listOfRoles(framework);
  const field = list ?? replicaSpecs;
  const roles = list ? z.array(z.unknown()) : z.record(z.string(), z.unknown());
  return z.intersection(dialect.spec, z.looseObject({ [field]: roles }));
}

function checkGang(annotations: Readonly<Record<string, string>>): Fault[] {
  const choice = annotations[ANNOTATIONS.gang];
  if (choice === undefined || isOneOf(GANG_CHOICES, choice)) return [];
  return [
    {
      path: `metadata.annotations[${ANNOTATIONS.gang}]`,
      expected: `one of ${GANG_CHOICES.join(', ')}`,
      got: describeValue(choice),
    },
  ];
}
