import { describe, expect, it } from '@jest/globals';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { aContainer, aManifest, aRole, type ManifestBuilder } from '../manifests.ts';

describe('an omitted field of a manifest', () => {
  const job = aManifest().job();

  it('gets its default', () => {
    expect(job).toMatchObject({
      namespace: 'ml',
      gang: { scheduler: undefined, minMember: 3 },
      options: { nprocPerNode: 'auto' },
      warnings: [],
    });
    expect(job.roles.map(({ name, replicas, restartPolicy }) => [name, replicas, restartPolicy])).toEqual([
      ['Master', 1, 'OnFailure'],
      ['Worker', 2, 'OnFailure'],
    ]);
  });

  it('is also optional in a plan without templates', () => {
    expect(job.plan).toEqual({
      minMember: 3,
      kind: 'PyTorchJob',
      name: 'resnet',
      namespace: 'ml',
      roles: [
        { name: 'Master', replicas: 1, restartPolicy: 'OnFailure' },
        { name: 'Worker', replicas: 2, restartPolicy: 'OnFailure' },
      ],
      replicaSpecs: 'pytorchReplicaSpecs',
      runPolicy: { cleanPodPolicy: 'None' },
      fence: 'port',
      successRoles: ['Master'],
      messages: {
        running: 'PyTorchJob resnet is running.',
        succeeded: 'PyTorchJob resnet is successfully completed.',
        restarting: {
          message: 'PyTorchJob resnet is restarting because %n %r replica(s) failed.',
          whileActive: true,
        },
      },
      roleSelector:
        'training.kubeflow.org/job-name=resnet,training.kubeflow.org/operator-name=pytorchjob-controller,training.kubeflow.org/replica-type=%s',
    });
  });

  it('may be written as null', () => {
    const manifest = aManifest().with('metadata.annotations', null).with('spec.runPolicy', null);
    expect(manifest.role('Worker', 'template.metadata', { labels: null }).faults()).toEqual([]);
  });
});

describe('a field of a manifest', () => {
  it('takes precedence over the default namespace', () => {
    expect(aManifest().with('metadata.namespace', 'vision').job().namespace).toBe('vision');
  });

  it('may name roles in any case and order', () => {
    const specs = { WORKER: aRole({ replicas: 3 }), master: aRole() };
    const { roles } = aManifest().with('spec.pytorchReplicaSpecs', specs).job();
    expect(roles.map(({ name }) => name)).toEqual(['Master', 'Worker']);
  });

  const bounds: readonly [given: object, min: number, max: number, minMember: number][] = [
    [{}, 2, 2, 3],
    [{ minReplicas: 2 }, 2, 2, 3],
    [{ maxReplicas: 2 }, 2, 2, 3],
    [{ minReplicas: 1, maxReplicas: 4 }, 1, 4, 2],
  ];
  it.each(bounds)(
    'with elastic bounds %j means %i to %i workers and a gang of %i',
    (given, min, max, gang) => {
      const job = aManifest().with('spec.elasticPolicy', given).job();
      expect(job.options.elasticPolicy).toMatchObject({ minReplicas: min, maxReplicas: max });
      expect(job.gang.minMember).toBe(gang);
    },
  );

  it('of the gang takes precedence over the default of the kind', () => {
    const policy = { minAvailable: 2, priorityClass: 'high' };
    const { gang } = aManifest().with('spec.runPolicy.schedulingPolicy', policy).job();
    expect(gang).toMatchObject({ minMember: 2, priorityClass: 'high' });
  });

  it.each([
    [4, '4'],
    ['8', '8'],
    ['gpu', 'gpu'],
  ])('of nprocPerNode %j is the text %j', (given, text) => {
    expect(aManifest().with('spec.nprocPerNode', given).job().options.nprocPerNode).toBe(text);
  });
});

describe('a suspicious manifest', () => {
  const SPECS = 'spec.pytorchReplicaSpecs';
  const table: readonly [(manifest: ManifestBuilder) => ManifestBuilder, warning: string][] = [
    [
      (m) => m.with('spec.nprocPerNod', 4),
      'spec.nprocPerNod: unknown field, ignored; did you mean nprocPerNode? kubectl apply refuses it',
    ],
    [
      (m) => m.with('spec.runPolicy.backofLimit', 4),
      'spec.runPolicy.backofLimit: unknown field, ignored; did you mean backoffLimit? kubectl apply refuses it',
    ],
    [
      (m) => m.role('Worker', 'replica', 4),
      `${SPECS}.Worker.replica: unknown field, ignored; did you mean replicas? kubectl apply refuses it`,
    ],
    [
      (m) => m.with('spec.runPolicy.schedulingPolicy.minAvailable', 10),
      'spec.runPolicy.schedulingPolicy.minAvailable: 10 of 3 pods can never be placed together; a gang scheduler will wait forever',
    ],
    [
      (m) => m.with('spec.elasticPolicy.metrics', []),
      'spec.elasticPolicy.metrics: without effect unless the job is a custom resource, which an autoscaler can scale',
    ],
    [
      (m) => m.with('spec.elasticPolicy.nProcPerNode', 2),
      'spec.elasticPolicy.nProcPerNode: deprecated; use spec.nprocPerNode',
    ],
    [
      (m) => m.role('Worker', '', aRole({ replicas: 2 }, aContainer({ name: 'train' }))),
      `${SPECS}.Worker: no container is named pytorch; the first one, train, is used instead`,
    ],
    [
      (m) => m.role('Worker', 'restartPolicy', 'Always'),
      `${SPECS}.Worker.restartPolicy: Always also restarts containers that succeeded, so the pods never complete; did you mean OnFailure?`,
    ],
    [
      (m) => m.role('Worker', 'template.spec.restartPolicy', 'Never'),
      `${SPECS}.Worker.template.spec.restartPolicy: Never is overridden by the role's OnFailure`,
    ],
    [
      (m) =>
        m.role('Worker', '', aRole({ replicas: 2 }, aContainer({ env: [{ name: 'RANK', value: '1' }] }))),
      `${SPECS}.Worker: container pytorch sets RANK itself, which overrides signalbox’s value`,
    ],
    [
      (m) => {
        const env = [{ name: 'SIGNALBOX_ATTEMPT', value: '7' }];
        return m.role('Worker', '', aRole({ replicas: 2 }, aContainer({ env })));
      },
      `${SPECS}.Worker: container pytorch sets SIGNALBOX_ATTEMPT itself, which is ignored: signalbox sets it`,
    ],
    [
      (m) => {
        const resources = { limits: { 'nvidia.com/gpus': '1', 'nvidia.com/mig-1g.5gb': '1', cpu: '1' } };
        return m.role('Worker', '', aRole({ replicas: 2 }, aContainer({ resources })));
      },
      `${SPECS}.Worker.template.spec.containers[0].resources: nvidia.com/gpus is no accelerator that is known; did you mean nvidia.com/gpu?`,
    ],
  ];
  it.each(table.map(([change, warning]) => [warning, change] as const))(
    'has a warning: %s',
    (warning, change) => {
      expect(change(aManifest()).job().warnings).toEqual([warning]);
    },
  );

  it('is not warned of metrics if it is that of a custom resource', () => {
    const manifest = aManifest().with('spec.elasticPolicy.metrics', []).build();
    const resource = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u', generation: 1 };
    const parsed = parseManifest(manifest, { namespace: 'ml', resource });
    expect(parsed).toMatchObject({ job: { resource, warnings: [] } });
  });
});
