import { expect, it } from '@jest/globals';
import { whyText } from '../../../cli/print/why-text.ts';
import { answerTo, type Choice, nodes, specOf, wanted } from '../../explain/situations.ts';

/** What `why` prints of a job that is not submitted. */

const printed = (given: Choice) =>
  whyText({
    ...{ kind: 'PyTorchJob', namespace: 'ml', name: 'train', asOf: '2026-11-30T12:00:00Z' },
    ...answerTo(given),
  });

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
  expect(text).toMatch(/do {7}Change what the pods demand of a node/);
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
