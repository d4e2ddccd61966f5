import { expect, it } from '@jest/globals';
import { differencesText } from '../../../../client/use-cases/submit/differing-fields.ts';

const manifest = (replicas: number, env: readonly object[] = [], labels = {}) => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'train', labels } },
  spec: {
    pytorchReplicaSpecs: {
      Worker: { replicas, template: { spec: { containers: [{ name: 'pytorch', image: 'a:1', env }] } } },
    },
  },
});
const WORKER = 'spec.pytorchReplicaSpecs.Worker';

it('names the first fields in which two manifests differ, with their values', () => {
  expect(differencesText(manifest(4), manifest(8))).toBe(
    ` They differ in ${WORKER}.replicas (4 there, 8 here).`,
  );
  const many = manifest(8, [{ name: 'LR', value: '1' }], { a: 'x', b: 'y' });
  expect(differencesText(manifest(4), many)).toBe(
    ` They differ in metadata.labels.a (only here: "x"), metadata.labels.b (only here: "y"), ${WORKER}.replicas (4 there, 8 here) and 2 more.`,
  );
});

it('hides what looks like a secret, and says that it differs', () => {
  const withToken = (value: string) => manifest(1, [{ name: 'WANDB_API_KEY', value }]);
  const text = differencesText(withToken('sk-one-1234567890abcdef'), withToken('sk-two-1234567890abcdef'));
  expect(text).toContain(`${WORKER}.template.spec.containers[pytorch].env[WANDB_API_KEY].value`);
  expect(text).toContain('"(hidden)" there, "(hidden)" here');
  expect(text).not.toContain('sk-');
});

it('says nothing of what programs write', () => {
  const applied = { ...manifest(1), status: {}, references: [{ kind: 'X' }] };
  expect(differencesText(manifest(1), applied)).toBe('');
});
