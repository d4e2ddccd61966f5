import { totalReplicas } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { valueAt } from '../../language/fields.ts';
import { celPlace, celRole, celSentence, celText } from '../model/cel.ts';
import { ANY_ROLE, type Framework } from '../model/framework.ts';
import type { ManifestWarning } from '../model/manifest-warning.ts';
import { policyWarnings } from '../policy/warnings.ts';
import { queueWarning } from './queue-labels.ts';
import { roleWarnings } from './role-warnings.ts';
import { templateWarnings } from './template-variables.ts';

interface Found {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly job: TrainingJob;
}

/** Returns warnings about known fields that may not do what their author expects. */
export const warningsOf = (
  framework: Framework,
  manifest: Readonly<Record<string, unknown>>,
  job: TrainingJob,
): string[] => manifestWarnings(framework).flatMap((warning) => warning.in({ manifest, job }));

/** What valid manifests of a kind are warned of. */
export const manifestWarnings = (framework: Framework): readonly ManifestWarning<Found>[] => [
  withoutEffect(framework),
  queueWarning(framework),
  { in: ({ manifest }) => templateWarnings(manifest) },
  neverTogether(framework),
  { in: ({ job: { plan } }) => (plan.policy ? policyWarnings(plan.policy, plan.roles) : []) },
  ...(framework.warnings ?? []).map(ofDraft),
  ...roleWarnings(framework),
];

const ofDraft = (warning: NonNullable<Framework['warnings']>[number]): ManifestWarning<Found> => ({
  in: ({ job }) => warning.in(job),
  ...(warning.cel ? { cel: () => warning.cel!() } : {}),
});

/** Valid fields that have no effect here. */
function withoutEffect({ dialect }: Framework): ManifestWarning<Found> {
  const fields = Object.entries(dialect.withoutEffect);
  const sentence = (path: string, why: string) => `spec.${path}: ${why}`;
  if (fields.length === 0) return { in: () => [] };
  return {
    in: ({ manifest: { spec } }) =>
      fields.filter(([path]) => valueAt(spec, path) !== undefined).map(([path, why]) => sentence(path, why)),
    cel: () =>
      fields
        .map(([path, why]) => {
          const field = `object.spec.?${path.replaceAll('.', '.?')}`;
          return `(${field}.hasValue() ? [${celText(sentence(path, why))}] : [])`;
        })
        .join(' + '),
  };
}

/** A gang larger than the number of pods never becomes complete. */
function neverTogether({ dialect, roles }: Framework): ManifestWarning<Found> {
  const path = `${dialect.schedulingPolicyPath}.minAvailable`;
  const sentence = (least: number | string, members: number | string) =>
    `${path}: ${least} of ${members} pods can never be placed together; a gang scheduler will wait forever`;
  const found: ManifestWarning<Found> = {
    in: ({ job: { gang, roles } }) => {
      const members = totalReplicas(roles);
      return gang.minMember <= members ? [] : [sentence(gang.minMember, members)];
    },
  };
  // Launchers that are created later are no members, and whether they are follows from more than sizes, as in a list of roles.
  if (roles.some(({ name }) => name === 'Launcher' || name === ANY_ROLE)) return found;
  const least = `object.${path.replaceAll('.', '.?').replace('.?', '.')}.orValue(0)`;
  const members = roles.map(({ name, defaultReplicas = 1 }) => {
    const { fields } = celRole(name);
    return `(size(${fields}) > 0 ? ${fields}.?replicas.orValue(${defaultReplicas}) : 0)`;
  });
  const all = `(${members.join(' + ')})`;
  return {
    ...found,
    cel: () => `${least} > ${all} ? [${celSentence(sentence(celPlace(least), celPlace(all)))}] : []`,
  };
}
