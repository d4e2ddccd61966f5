import { describe, expect, it } from '@jest/globals';
import { aContainer, aManifest, aRole } from '../manifests.ts';

const JOB = ['$', '{JOB}'].join('');

describe('an unfilled template variable', () => {
  it('is a fault where a value must be concrete', () => {
    const manifest = aManifest()
      .with('metadata.name', JOB)
      .role('Worker', 'replicas', '$WORKERS')
      .role('Worker', 'template.spec.containers', [aContainer({ image: '$REGISTRY/train:{{ tag }}' })]);
    expect(manifest.faults()).toEqual([
      `metadata.name: expected a DNS label: lower-case letters, digits and -, starting with a letter (a template? fill in ${JOB} first, e.g. with envsubst), got "${JOB}"`,
      'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer (a template? fill in $WORKERS first, e.g. with envsubst), got "$WORKERS"',
      'spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].image: expected the name of an image, e.g. registry.example/team/train:1.0 (a template? fill in $REGISTRY first, e.g. with envsubst), got "$REGISTRY/train:{{ tag }}"',
    ]);
  });

  it('is a warning in fields that the API server or the node would refuse later', () => {
    const volume = { name: 'data', persistentVolumeClaim: { claimName: '{{ claim }}' } };
    expect(aManifest().role('Worker', 'template.spec.volumes', [volume]).job().warnings).toEqual([
      'spec.pytorchReplicaSpecs.Worker.template.spec.volumes[0].persistentVolumeClaim.claimName: "{{ claim }}": a template? fill in {{ claim }} first',
    ]);
  });

  it('is not confused with variables of a shell or a program', () => {
    const container = aContainer({
      command: ['sh', '-c', `echo $HOME ${JOB} {{ x }}`],
      args: ['$(RANK)', '--out=$OUT'],
      env: [{ name: 'DIR', value: '$(HOME)/$RUN' }],
      lifecycle: { preStop: { exec: { command: ['sh', '-c', 'kill $PID'] } } },
      volumeMounts: [{ name: 'a', mountPath: '/a', subPathExpr: '$(POD)' }],
    });
    const manifest = aManifest()
      .with('metadata.annotations', { note: 'costs $FIVE' })
      .with('spec.pytorchReplicaSpecs', { Master: aRole({}, container) });
    expect(manifest.faults()).toEqual([]);
    expect(manifest.job().warnings).toEqual([]);
  });
});
