import { describe, expect, it } from '@jest/globals';
import type { Container } from '../../../contracts/kubernetes.ts';
import type { Conventions } from '../../../contracts/training-job.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { Course } from '../../comparison/course.ts';
import { aManifest, aManifestOf, environmentOf, type ManifestBuilder } from '../manifests.ts';

const workersOnly = () => aManifestOf('PyTorchJob', { Worker: { replicas: 2 } });

describe('a replica of a PyTorchJob', () => {
  const master = {
    MASTER_PORT: '23456',
    PET_MASTER_PORT: '23456',
    MASTER_ADDR: 'resnet-master-0',
    PET_MASTER_ADDR: 'resnet-master-0',
    WORLD_SIZE: '3',
  };
  const common = { PYTHONUNBUFFERED: '1', PET_NPROC_PER_NODE: 'auto', PET_NNODES: '3' };
  const rank = (number: string) => ({ RANK: number, PET_NODE_RANK: number });
  const elastic = { minReplicas: 1, maxReplicas: 2, maxRestarts: 100, rdzvConf: [] };
  const table: readonly [pod: string, of: string, manifest: ManifestBuilder, variables: object][] = [
    ['Master-0', 'a job with a Master', aManifest(), { ...common, ...master, ...rank('0') }],
    ['Worker-1', 'a job with a Master', aManifest(), { ...common, ...master, ...rank('2') }],
    [
      'Worker-0',
      'four processes a node',
      aManifest().with('spec.nprocPerNode', 4),
      { ...common, ...master, ...rank('1'), WORLD_SIZE: '12', PET_NPROC_PER_NODE: '4' },
    ],
    [
      'Worker-0',
      'as many processes as there are GPUs',
      aManifest().with('spec.nprocPerNode', 'gpu'),
      { ...common, ...master, ...rank('1'), PET_NPROC_PER_NODE: 'gpu' },
    ],
    ['Worker-0', 'workers only', workersOnly(), { ...common, PET_NNODES: '2' }],
    [
      'Worker-1',
      'elastic workers',
      workersOnly().with('spec.elasticPolicy', elastic),
      {
        ...common,
        PET_RDZV_ENDPOINT: 'resnet-worker-0:23456',
        PET_RDZV_BACKEND: 'c10d',
        PET_NNODES: '1:2',
        PET_MAX_RESTARTS: '100',
      },
    ],
  ];
  it.each(table)('%s of %s gets its rank and the address of its master', (pod, _, manifest, variables) => {
    expect(environmentOf(manifest.job(), pod)).toEqual(variables);
  });
});

describe('a PyTorchJob', () => {
  it.each([
    ['Master', aManifest(), 'PyTorchJob resnet is running.'],
    ['Worker', workersOnly(), 'PyTorchJob ml/resnet is running.'],
  ])('that is decided by its %s says so in its own words', (role, manifest, running) => {
    const job = manifest.job();
    const { status } = new Course(job).sees({ Master: 'ready', Worker: 'ready' });
    expect(status.conditions.at(-1)!.message).toBe(running);
    expect(job.plan.successRoles).toEqual([role]);
  });
});

describe('workers that wait for their master', () => {
  const IMAGE = 'registry.example/alpine:3';
  const WAIT = 'signalbox.dev/wait-for-master';

  function waitsOf(manifest: ManifestBuilder, conventions: Partial<Conventions> = {}) {
    const options = { gang: 'none', asGang: true } as const;
    const job = manifest.job(conventions);
    const { pods } = renderAttempt(job, { number: 1, anchorUid: 'anchor' }, options);
    return pods.map(({ spec }) => spec.initContainers?.map(({ name, image }) => [name, image]));
  }
  const waits = [['init-pytorch', IMAGE]];
  const asking = () => aManifest().with('metadata.annotations', { [WAIT]: IMAGE });

  const table: readonly [says: string, ManifestBuilder, Partial<Conventions>, waits: unknown][] = [
    ['are not there by default', aManifest(), {}, [undefined, undefined, undefined]],
    ['are there if the job asks for it', asking(), {}, [undefined, waits, waits]],
    ['are there if it is configured', aManifest(), { masterWaitImage: IMAGE }, [undefined, waits, waits]],
    ['take the job’s image first', asking(), { masterWaitImage: 'other:1' }, [undefined, waits, waits]],
    [
      'are not there if the job does not want it',
      aManifest().with('metadata.annotations', { [WAIT]: '' }),
      { masterWaitImage: IMAGE },
      [undefined, undefined, undefined],
    ],
    ['need a master', workersOnly(), { masterWaitImage: IMAGE }, [undefined, undefined]],
  ];
  it.each(table)('%s', (_, manifest, conventions, wanted) => {
    expect(waitsOf(manifest, conventions)).toEqual(wanted);
  });

  it('do so after their other init containers, with few resources', () => {
    const own = { name: 'download', image: 'registry.example/data:1' };
    const job = asking().role('Worker', 'template.spec.initContainers', [own]).job();
    const options = { gang: 'none', asGang: true } as const;
    const { pods } = renderAttempt(job, { number: 1, anchorUid: 'anchor' }, options);
    const [first, wait] = pods[1]!.spec.initContainers as [Container, Container];
    expect(first).toEqual(own);
    expect(wait).toMatchObject({
      imagePullPolicy: 'IfNotPresent',
      resources: {
        limits: { cpu: '100m', memory: '20Mi' },
        requests: { cpu: '50m', memory: '10Mi' },
      },
    });
    expect(wait.command!.at(-1)).toMatch(/seq 100.*nslookup resnet-master-0.*sleep 2.*exit 1$/);
  });
});

describe('an elastic job with its minimum number of workers only', () => {
  const job = aManifest()
    .role('Master', '', undefined)
    .role('Worker', 'replicas', 4)
    .with('spec.elasticPolicy', { minReplicas: 2 })
    .job();

  it('runs with that number, as with training-operator, and warns that the others wait', () => {
    const variables = environmentOf(job, 'Worker-0');
    expect(variables.PET_NNODES).toBe('2:2');
    expect(job.warnings).toEqual([
      'spec.elasticPolicy.maxReplicas: 2, like minReplicas; 2 of 4 workers will wait',
    ]);
  });
});
