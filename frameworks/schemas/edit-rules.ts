import { ANNOTATIONS } from '../../contracts/labels.ts';
import { READ_ANNOTATIONS } from '../../contracts/written-manifest.ts';
import { KEPT, keptByPods } from '../changes/changes-between.ts';
import { FOLLOWED, GROUP } from '../changes/fixed-differences.ts';
import { celText } from '../model/cel.ts';
import { ANY_ROLE, type Framework, listOfRoles, type RoleRules, rolePath } from '../model/framework.ts';
import { faultUnless, isList, isRole, named, nameOf, roleAt } from './admission-rules.ts';

/** Faults of an edit: what a live job cannot follow. `fields`: those of spec. */
export function editRules(framework: Framework, fields: readonly string[]): readonly string[] {
  const { dialect, replicaSpecs, references } = framework;
  // Roles that follow from other objects are in no manifest.
  const roles = references ? [] : framework.roles;
  const path = rolePath(framework);
  const nameIn = ({ name }: RoleRules) => (name === ANY_ROLE ? 'TASK' : name);
  const same = (field: string) =>
    `object.?${field.replaceAll('.', '.?')} == oldObject.?${field.replaceAll('.', '.?')}`;
  const unlessEdited = (holds: string, at: string, why: string) =>
    faultUnless(`!variables.isLive || ${holds}`, at, `the present value, ${why}`);
  const whilePods = (holds: string, at: string) =>
    faultUnless(`!variables.keepsPods || ${holds}`, at, `the present value, ${keptByPods(framework)}`);
  /** A role may be written in another case than before. */
  const isOld = (role: RoleRules) =>
    isList(framework) ? `${nameOf(framework, 'o')} == ${nameOf(framework)}` : isRole(role, 'o');
  const isThere = isList(framework)
    ? `variables.keys.all(k, variables.oldKeys.exists(o, ${isOld(roles[0]!)}))`
    : 'true';
  const sameRole = (role: RoleRules, field: string) =>
    `variables.keys.all(k, !(${isRole(role)}) || variables.oldKeys.all(o, !(${isOld(role)}) || ${roleAt(framework)}.${field} == ${roleAt(framework, 'o', 'oldRoles')}.${field}))`;
  const kept = (dialect.fields.runPolicy ?? []).filter(
    (field) => !FOLLOWED.some((one) => one === field) && field !== 'managedBy',
  );
  const keptBelow = (at: string, field: string) => {
    const path = [at, field].filter(Boolean).join('.');
    return field === 'schedulingPolicy' ? keptOfGroup(framework, path) : [`spec.${path}`];
  };
  const roleNames = new Set(roles.map(({ name }) => name));
  const others = fields.filter(
    (field) =>
      !['runPolicy', ...FOLLOWED, dialect.managedBy?.field, listOfRoles(framework) ?? replicaSpecs].includes(
        field,
      ) && !roleNames.has(field),
  );
  return [
    ...[dialect.managedBy ?? []]
      .flat()
      .map(({ field }) =>
        faultUnless(
          `!variables.isEdit || ${same(`spec.${field}`)}`,
          `spec.${field}`,
          'the present value: two engines would run the job',
        ),
      ),
    ...roles.map((role) =>
      unlessEdited(
        `size(${named(role)}) == size(${named(role, 'variables.oldKeys')}) && ${isThere}`,
        path,
        KEPT,
      ),
    ),
    ...roles.map((role) =>
      whilePods(sameRole(role, '?template'), `${rolePath(framework, nameIn(role))}.template`),
    ),
    ...roles.map((role) =>
      whilePods(
        sameRole(role, `?restartPolicy.orValue(${celText(role.defaultRestartPolicy)})`),
        `${rolePath(framework, nameIn(role))}.restartPolicy`,
      ),
    ),
    ...kept.flatMap((field) => keptBelow('runPolicy', field)).map((at) => whilePods(same(at), at)),
    ...others.flatMap((field) => keptBelow('', field)).map((at) => whilePods(same(at), at)),
    ...[...READ_ANNOTATIONS]
      .filter((key) => key !== ANNOTATIONS.policy)
      .map((key) => {
        const [now, before] = ['object', 'oldObject'].map(
          (one) => `${one}.metadata.?annotations[?${celText(key)}]`,
        );
        const holds = `${now} == ${before}`;
        const at = `metadata.annotations[${key}]`;
        return key === ANNOTATIONS.waitForMaster ? whilePods(holds, at) : unlessEdited(holds, at, KEPT);
      }),
  ];
}

/** The bridge changes the size of a group where its scheduler allows it; it keeps everything else of that. */
const keptOfGroup = ({ dialect }: Framework, path: string): readonly string[] =>
  (dialect.fields[path] ?? [])
    .filter((field) => !GROUP.some((one) => one === field))
    .map((field) => `spec.${path}.${field}`);
