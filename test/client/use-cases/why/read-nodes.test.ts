import { expect, it } from '@jest/globals';
import { readNodes } from '../../../../client/use-cases/why/read-nodes.ts';
import type { Pod } from '../../../../contracts/kubernetes.ts';
import { LABELS } from '../../../../contracts/labels.ts';
import { aMember, NOW } from '../../../queue/gated-pods.ts';
import { readingOf } from './answering-cluster.ts';

const gangOf = (job: string, installation: string, createdAt: number): readonly Pod[] =>
  [0, 1].map((index) => {
    const pod = aMember({ job, index, createdAt });
    const labels = { ...pod.metadata.labels, [LABELS.installation]: installation };
    return { ...pod, metadata: { ...pod.metadata, labels } };
  });

it('gated gangs of another installation are not in the line of a gang', async () => {
  const items = [
    ...gangOf('theirs', 'two', NOW - 2_000),
    ...gangOf('first', 'one', NOW - 1_000),
    ...gangOf('own', 'one', NOW),
  ];
  const { reading } = readingOf({
    '/api/v1/nodes': { metadata: {}, items: [] },
    '/api/v1/pods': { metadata: {}, items },
  });
  const {
    view: { line },
  } = await readNodes(reading, {
    namespace: 'ml',
    name: 'own',
    pods: [],
    gatedUid: 'anchor-own',
    preempts: false,
  });
  expect(JSON.stringify(line)).toContain('job/ml/first');
  expect(JSON.stringify(line)).not.toContain('job/ml/theirs');
});
