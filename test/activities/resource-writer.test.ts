import { expect, it } from '@jest/globals';
import { writerOf } from '../../activities/resource-writer.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';

const STAMPED = { requesterStamped: true };
const CREATED = { [ANNOTATIONS.requestedBy]: 'ana' };
const editedAt = (generation: number) => ({
  ...CREATED,
  ...{ [ANNOTATIONS.editedBy]: 'ben', [ANNOTATIONS.editedGeneration]: String(generation) },
});

const resource = (generation: number | undefined, annotations: Record<string, string>) => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
  metadata: { name: 'train', generation, annotations },
});

it.each<[string, number | undefined, Record<string, string>, string | undefined]>([
  ['its creator, until it is edited', 1, CREATED, 'ana'],
  ['its creator, of an API server without generations', undefined, CREATED, 'ana'],
  ['who edited it last', 4, editedAt(4), 'ben'],
  ['who edited an annotation, which makes no generation', 1, editedAt(1), 'ben'],
  ['nobody, if it was scaled since', 5, editedAt(4), undefined],
  ['nobody, if it was scaled and never edited', 2, CREATED, undefined],
  ['nobody, if it is older than the policy', 1, {}, undefined],
])('a resource was written by %s', (_, generation, annotations, who) => {
  expect(writerOf(STAMPED, resource(generation, annotations))).toBe(who);
});

it('what an API server without the policy has is a claim', () => {
  expect(writerOf({}, resource(1, CREATED))).toBeUndefined();
});
