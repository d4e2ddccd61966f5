import { expect, test } from '@jest/globals';
import { isDue } from '../../cli/doctor/due-deprecations.ts';

const GROUPS = 'scheduling.k8s.io/v1beta1 PodGroup is deprecated in v1.40+, unavailable in v1.43+';

test.each([
  ['v1.37.2', GROUPS, false],
  ['v1.39.12-eks-1', GROUPS, false],
  ['v1.40.0', GROUPS, true],
  ['v1.41.1+k3s1', GROUPS, true],
  ['v1.37.2', 'v1 ComponentStatus is deprecated in v1.19+', true],
  ['v1.37.2', 'the server says something else', true],
  ['unknown', GROUPS, true],
])('of %s, "%s" is due: %s', (gitVersion, warning, expected) => {
  expect(isDue(warning, { gitVersion })).toBe(expected);
});
