import type { JobResource } from '../contracts/job-resources.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import type { Dependencies } from './support/dependencies.ts';

/**
 * Returns who wrote a custom resource as it is now, as the API server knew them. Undefined where it does not say so: what a user
 * wrote there would be a claim; and after a change of the size through the subresource `scale`, which notes nobody.
 */
export function writerOf(
  { requesterStamped }: Pick<Dependencies, 'requesterStamped'>,
  { metadata: { annotations = {}, generation = 1 } }: JobResource,
): string | undefined {
  if (!requesterStamped) return undefined;
  const {
    [ANNOTATIONS.requestedBy]: creator,
    [ANNOTATIONS.editedBy]: editor,
    [ANNOTATIONS.editedGeneration]: edited,
  } = annotations;
  if (editor !== undefined) return edited === String(generation) ? editor : undefined;
  return generation === 1 ? creator : undefined;
}
