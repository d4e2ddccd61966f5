import { isDeepStrictEqual } from 'node:util';
import { unlessNotFound } from '../../cluster/errors.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { isOfAnchor } from '../../contracts/objects.ts';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { groupNameOf } from '../../gang/gang.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { asFields } from '../../language/fields.ts';
import { renderGroup } from '../../resources/attempt.ts';
import { deleteEach, type Refusals } from '../deletion/delete-pods.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { EffectRequest } from '../support/effect.ts';
import { isOwnedByJob, listOwned } from '../support/owned.ts';
import { selectAttempt, selectJob } from '../support/select-attempt.ts';

interface GroupsToDelete {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  /** The group of this attempt; those of all attempts if absent. */
  readonly attempt?: number;
  /** The attempt whose group is looked up by its name, too, in case its labels were removed. */
  readonly last?: number;
}

/** Deletes the groups of a job. */
export async function deleteGroups(
  dependencies: Dependencies,
  { job, anchorUid, gang, attempt, last = attempt }: GroupsToDelete,
  refusals?: Refusals,
): Promise<void> {
  const { resource } = GANG_ADAPTERS[gang];
  if (!resource) return;
  const selection = attempt === undefined ? selectJob(job) : selectAttempt({ job, attempt });
  const findNamed = async (number: number) => {
    const group = await dependencies.cluster.find(
      resource,
      job.namespace,
      groupNameOf(job.name, number, gang),
    );
    return group && isOwnedByJob(group, { anchorUid, job }) ? group : undefined;
  };
  const deleteAll = async () => {
    const groups = await listOwned(dependencies.cluster, resource, selection, { anchorUid, job });
    const unlabelled = groups.length > 0 || last === undefined ? undefined : await findNamed(last);
    await deleteEach(dependencies, resource, unlabelled ? [unlabelled] : groups, { refusals });
  };
  // An upgraded cluster may no longer serve the group's API.
  await deleteAll().catch(unlessNotFound);
}

/**
 * Resizes the group of an attempt to the job's present size if its scheduler allows that. Patches only these fields: a
 * replacement would erase the status of groups without a status subresource.
 */
export async function resizeGroup(
  { cluster }: Dependencies,
  { job, anchorUid, gang, attempt }: EffectRequest<'createGroup'>,
): Promise<void> {
  const { resource, sizeFields = [] } = GANG_ADAPTERS[gang];
  const wanted = renderGroup(job, { number: attempt, anchorUid }, gang);
  if (!resource || !wanted || sizeFields.length === 0) return;
  const { namespace, name } = wanted.metadata;
  const existing = await cluster.find(resource, namespace, name);
  if (!existing || !isOfAnchor(existing, anchorUid)) return;
  const sizes = sizesOf(wanted);
  const present = sizesOf(existing);
  // Set fields as a whole: a merge patch would keep resources that no pod requests any more.
  const changes = sizeFields
    .filter((field) => sizes[field] !== undefined && !isDeepStrictEqual(sizes[field], present[field]))
    .map((field) => ({ op: 'add', path: `/spec/${field}`, value: sizes[field] }));
  if (changes.length === 0) return;
  await cluster.patch(resource, { namespace, name }, changes, 'json').catch(unlessNotFound);
}

const sizesOf = ({ spec }: KubeObject) => asFields(spec);
