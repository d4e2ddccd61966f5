import { expect, it } from '@jest/globals';
import { whyText } from '../../../cli/print/why-text.ts';
import { withRemedies } from '../../../client/use-cases/why/with-remedies.ts';
import { answerTo, type Choice, nodes, specOf, usedBy, wanted } from '../../explain/situations.ts';

/** What `why` prints of a job that is not submitted. */

const printed = (given: Choice) =>
  whyText(
    withRemedies({
      ...{ kind: 'PyTorchJob', namespace: 'ml', name: 'train', asOf: '2026-11-30T12:00:00Z' },
      ...answerTo(given),
    }),
  );

it('each term and taint is there with how many nodes it excludes, and what is nearest to it once', () => {
  const spec = specOf(1, {
    nodeSelector: { zome: 'a', disk: 'ssd' },
    tolerations: [{ key: 'team', value: 'a' }],
  });
  const text = printed({
    pods: wanted(2, spec),
    nodes: [
      ...nodes(2, { labels: { zone: 'a' }, taint: 'team=b' }),
      ...nodes(1, { name: 'b', labels: { zone: 'a', disk: 'ssd' } }),
    ],
  });
  expect(text).toContain('nodeSelector zome=a alone excludes 3\n');
  expect(text).toContain('nodeSelector disk=ssd alone excludes 2\n');
  expect(text).toContain('taint team=b:NoSchedule alone excludes 2');
  expect(text.split('no node has zome; 3 nodes have zone=a')).toHaveLength(2);
  expect(text).toMatch(
    /change {3}you can, e\.g\. if a name is wrong; an administrator of the cluster can, too/,
  );
  expect(text).toMatch(/do {7}Write zone for the key in nodeSelector zome=a of the worker template\. Or /);
});

it('of what is not computed it says neither that there is room nor to wait', () => {
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'one-gpu' }];
  const text = printed({ pods: wanted(1, specOf(1, { resourceClaims })) });
  expect(text).toMatch(/change {3}not known, because it is not computed here/);
  expect(text).not.toMatch(/there is room|wait, or free|would start at once/);
});

it('a command is one that can be typed', () => {
  const text = printed({
    pods: wanted(1, specOf(1)),
    cluster: { missing: [{ kind: 'Secret', name: 'key', of: 'env' }] },
  });
  expect(text).not.toMatch(/\bNAME\b/);
});

it('of a job that has failed it says why, what its log says, and what to do', () => {
  const text = whyText({
    ...{ kind: 'PyTorchJob', namespace: 'ml', name: 'train', asOf: '2026-11-30T12:00:00Z', phase: 'Failed' },
    ...{ reasons: [], placements: [], unknown: [] },
    explanation: {
      ...{ phase: 'Failed', reason: 'PodFailed', sentence: 'A pod failed', rule: 'restartPolicy: Never' },
      details: 'train-worker-0 exited with code 1; restartPolicy: Never',
      remedy: '`signalbox evidence train` has its last lines.',
    },
    errorLine: 'ValueError: x',
    advice: 'It is the program.',
  });
  expect(text.split('\n').slice(1)).toEqual([
    '  reason   PodFailed: train-worker-0 exited with code 1',
    '  error    ValueError: x',
    '  rule     restartPolicy: Never',
    '  do       `signalbox evidence train` has its last lines.',
    '  advice   It is the program.',
  ]);
});

it('of a job that has completed there is nothing to do', () => {
  const text = whyText({
    ...{
      kind: 'PyTorchJob',
      namespace: 'ml',
      name: 'train',
      asOf: '2026-11-30T12:00:00Z',
      phase: 'Completed',
    },
    ...{ reasons: [], placements: [], unknown: [] },
    explanation: { phase: 'Completed', sentence: 'Every replica that decides the outcome has succeeded.' },
  });
  expect(text).toMatch(/^ {2}now {6}Every replica/m);
  expect(text).not.toMatch(/^ {2}do /m);
});

it('what is free of a node is said beside what it has, and a port that is in use by its number', () => {
  const others = [usedBy({ node: 'node-0', gpus: 6 })];
  const port = { containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort: 80 } as never] }] };
  expect(printed({ pods: wanted(1, specOf(4)), nodes: nodes(1), others })).toContain(
    'node-0: 2 of its 8 nvidia.com/gpu free, a pod needs 4',
  );
  const ofPort = [{ ...others[0]!, spec: { ...port, nodeName: 'node-0' } }];
  const text = printed({ pods: wanted(1, port), nodes: nodes(1), others: ofPort });
  expect(text).toContain('node-0: hostPort 80/TCP is in use');
  expect(text).toContain('held by  namespace vision 1');
});

it('pods of several roles have room as if only these were placed', () => {
  const text = printed({
    pods: [...wanted(1, specOf(8), 'master'), ...wanted(2, specOf(4))],
    nodes: nodes(1),
  });
  expect(text).toContain(
    '1 master pod, each 8 nvidia.com/gpu: room for 1, if only these are placed; of 1 node',
  );
});
