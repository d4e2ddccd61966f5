import { describe, expect, it } from '@jest/globals';
import { withCheckpointFile } from '../../resources/checkpoint-file.ts';

const SPEC = {
  containers: [{ name: 'train', volumeMounts: [{ name: 'data', mountPath: '/data' }] }, { name: 'proxy' }],
  volumes: [{ name: 'data', emptyDir: {} }],
};

describe('the file that requests a checkpoint', () => {
  it('shows an annotation of the pod in every container, beside their own mounts', () => {
    const mount = { name: 'signalbox-checkpoint', mountPath: '/signalbox', readOnly: true };
    const fieldPath = "metadata.annotations['signalbox.dev/checkpoint']";
    const items = [{ path: 'checkpoint', fieldRef: { apiVersion: 'v1', fieldPath } }];
    expect(withCheckpointFile(SPEC, '/signalbox/checkpoint')).toEqual({
      containers: [
        { name: 'train', volumeMounts: [{ name: 'data', mountPath: '/data' }, mount] },
        { name: 'proxy', volumeMounts: [mount] },
      ],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'signalbox-checkpoint', downwardAPI: { items } },
      ],
    });
  });

  it('exists only if the policy has it', () => {
    expect(withCheckpointFile(SPEC, undefined)).toBe(SPEC);
  });
});
