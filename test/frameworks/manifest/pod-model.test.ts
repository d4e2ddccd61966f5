import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../../contracts/faults.ts';
import { checkPodPaths } from '../../../frameworks/manifest/pod-model.ts';

const ROLE = ['spec', 'pytorchReplicaSpecs', 'Worker'];
const SPEC = [...ROLE, 'template', 'spec'];

const faultsAt = (steps: readonly string[], value: unknown) => {
  const manifest = [...SPEC, ...steps].reduceRight<unknown>(
    (inner, step) => (/^\d$/.test(step) ? [inner] : { [step]: inner }),
    value,
  );
  return checkPodPaths(manifest, [[...SPEC, ...steps]]).map(formatFault);
};

describe('a changed pod template', () => {
  it.each([
    [['containers', '0', 'imagePullPolicy'], 'Always'],
    [['containers', '0', 'resources', 'limits', 'cpu'], 4],
    [['containers', '0', 'readinessProbe', 'httpGet'], { path: '/', port: 80 }],
    [['nodeSelector', 'zone'], 'a'],
    [['tolerations'], [{ key: 'gpu', operator: 'Exists' }]],
    [['volumes'], [{ name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } }]],
  ])('may have %j = %j', (steps, value) => expect(faultsAt(steps, value)).toEqual([]));

  it.each([
    [['containers', '0', 'args'], '--fast', 'containers[0].args: expected a list, got "--fast"'],
    [['hostNetwork'], 'yes', 'hostNetwork: expected true or false, got "yes"'],
    [['terminationGracePeriodSeconds'], '30', 'terminationGracePeriodSeconds: expected a number, got "30"'],
    [
      ['containers', '0', 'env'],
      [{ name: 'LR', value: 0.1 }],
      'containers[0].env[0].value: expected text, got 0.1',
    ],
    [['volumes'], [{ name: 'a', hostPath: '/' }], 'volumes[0].hostPath: expected an object, got "/"'],
    [['nodeSelector', 'zone'], 7, 'nodeSelector.zone: expected text, got 7'],
  ])('may not have %j = %j', (steps, value, text) =>
    expect(faultsAt(steps, value)).toEqual([`spec.pytorchReplicaSpecs.Worker.template.spec.${text}`]),
  );
});

describe('a change elsewhere', () => {
  it('is left to the schema of the kind', () =>
    expect(checkPodPaths({ spec: { foo: 1 } }, [['spec', 'foo']])).toEqual([]));
});
