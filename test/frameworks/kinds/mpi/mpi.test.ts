import { describe, expect, it } from '@jest/globals';
import { Course } from '../../../comparison/course.ts';
import { aContainer } from '../../manifests.ts';
import { anMpiJob, fileOf, mainOf, podOf, servicesOf, sharedOf, variablesOf } from '../../mpi-jobs.ts';

const SPECS = 'spec.mpiReplicaSpecs';
const GPU = { limits: { 'nvidia.com/gpu': 1 } };
const aGpuLauncher = () =>
  anMpiJob().role('Launcher', 'template.spec.containers', [aContainer({ name: 'mpi', resources: GPU })]);

describe('the hosts of an MPIJob v1', () => {
  it('are its workers, with as many slots as the manifest says', () => {
    expect(fileOf(anMpiJob().job(), 'hostfile')).toBe('resnet-worker-0 slots=1\nresnet-worker-1 slots=1\n');
    const job = anMpiJob(1).with('spec.slotsPerWorker', 4).job();
    expect(fileOf(job, 'hostfile')).toBe('resnet-worker-0 slots=4\n');
  });

  it('begin with the launcher if it has a GPU', () => {
    expect(fileOf(aGpuLauncher().job(), 'hostfile')).toMatch(/^resnet-launcher slots=1\nresnet-worker-0 /);
  });

  it('are discovered as they become ready, by index', () => {
    const job = anMpiJob(11).job();
    expect(fileOf(job, 'discover_hosts.sh')).toBe('#!/bin/sh');
    expect(fileOf(job, 'discover_hosts.sh', [10, 2])).toBe(
      '#!/bin/sh\necho resnet-worker-2:1\necho resnet-worker-10:1',
    );
    expect(fileOf(aGpuLauncher().job(), 'discover_hosts.sh', [0])).toBe(
      '#!/bin/sh\necho resnet-launcher:1\n\necho resnet-worker-0:1',
    );
  });

  it('are in the ConfigMap from the start, and an update keeps all files', () => {
    const job = anMpiJob().job();
    const { data } = sharedOf(job).ConfigMap as unknown as { data: Record<string, string> };
    expect(Object.keys(data)).toEqual(['discover_hosts.sh', 'hostfile', 'kubexec.sh']);
    for (const [file, text] of Object.entries(data)) expect(fileOf(job, file)).toBe(text);
  });

  it('are reached in the container that the manifest names', () => {
    const kubexec = fileOf(anMpiJob().with('spec.mainContainer', 'mpi').job(), 'kubexec.sh');
    expect(kubexec?.split('\n').at(-1)).toBe(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
      '/opt/kube/kubectl exec ${POD_NAME} --container mpi -- /bin/sh -c "$*"',
    );
  });
});

describe('the launcher of an MPIJob v1', () => {
  it('has no GPU of its node', () => {
    const hidden = { NVIDIA_VISIBLE_DEVICES: '', NVIDIA_DRIVER_CAPABILITIES: '' };
    expect(variablesOf(anMpiJob().job(), 'launcher')).toMatchObject(hidden);
  });

  it.each(['nvidia.com/gpu', 'amd.com/gpu', 'nvidia.com/gpu.shared'])('has it if it asks for %s', (gpu) => {
    const containers = [aContainer({ resources: { limits: { cpu: 1, [gpu]: 1 } } })];
    const job = anMpiJob().role('Launcher', 'template.spec.containers', containers).job();
    expect(variablesOf(job, 'launcher')).not.toHaveProperty('NVIDIA_VISIBLE_DEVICES');
  });

  it('keeps a bootstrap script of the manifest', () => {
    const env = [{ name: 'I_MPI_HYDRA_BOOTSTRAP', value: 'ssh' }];
    const job = anMpiJob()
      .role('Launcher', 'template.spec.containers', [aContainer({ env })])
      .job();
    expect(variablesOf(job, 'launcher')).toMatchObject({
      I_MPI_HYDRA_BOOTSTRAP: 'ssh',
      I_MPI_HYDRA_BOOTSTRAP_EXEC: '/etc/mpi/kubexec.sh',
    });
  });

  it('gets variables and files in its first container only', () => {
    const containers = [aContainer({ name: 'mpi' }), aContainer({ name: 'logs' })];
    const { spec } = podOf(
      anMpiJob().role('Launcher', 'template.spec.containers', containers).job(),
      'launcher',
    );
    expect(spec.containers[1]).toEqual(containers[1]);
  });

  it('keeps its own volumes and init containers, before the added ones', () => {
    const job = anMpiJob()
      .role('Launcher', 'template.spec.volumes', [{ name: 'data', emptyDir: {} }])
      .role('Launcher', 'template.spec.initContainers', [aContainer({ name: 'fetch' })])
      .job();
    const { volumes, initContainers } = podOf(job, 'launcher').spec;
    const namesOf = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
    expect(namesOf(volumes)).toEqual(['data', 'mpi-job-kubectl', 'mpi-job-config']);
    expect(namesOf(initContainers)).toEqual(['fetch', 'kubectl-delivery']);
  });

  it('gets kubectl from the configured image, unless its manifest has it', () => {
    const job = anMpiJob().job({ kubectlImage: 'registry.example/kubectl:1' });
    expect(podOf(job, 'launcher').spec.initContainers).toMatchObject([
      { name: 'kubectl-delivery', image: 'registry.example/kubectl:1' },
    ]);
    const own = [aContainer({ name: 'kubectl-delivery' })];
    const brings = anMpiJob().role('Launcher', 'template.spec.initContainers', own).job();
    expect(podOf(brings, 'launcher').spec.initContainers).toEqual(own);
  });

  it('may exec into the workers, as the account that its manifest names', () => {
    const job = anMpiJob().role('Launcher', 'template.spec.serviceAccountName', 'trainer').job();
    expect(podOf(job, 'launcher').spec.serviceAccountName).toBe('trainer');
    const { ServiceAccount, RoleBinding, Role } = sharedOf(job);
    expect(ServiceAccount?.metadata).toMatchObject({ name: 'trainer', labels: { app: 'resnet' } });
    expect(RoleBinding?.subjects).toMatchObject([{ name: 'trainer', namespace: 'ml' }]);
    expect(Role?.rules).toContainEqual({
      apiGroups: [''],
      resources: ['pods/exec'],
      resourceNames: ['resnet-worker-0', 'resnet-worker-1'],
      verbs: ['create'],
    });
  });

  it('may exec into no pod without workers', () => {
    expect(JSON.stringify(sharedOf(anMpiJob(0).job()).Role)).not.toContain('pods/exec');
  });
});

describe('a worker of an MPIJob v1', () => {
  it.each([
    [{}, { command: ['sleep'], args: ['365d'] }],
    [{ command: ['serve'] }, { command: ['serve'] }],
    [{ args: ['--wait'] }, { args: ['--wait'] }],
  ])('with %j runs %j', (given, runs) => {
    const job = anMpiJob()
      .role('Worker', 'template.spec.containers', [aContainer(given)])
      .job();
    const { command, args } = mainOf(job, 'worker-0');
    expect({ command, args }).toEqual({ command: undefined, args: undefined, ...runs });
  });
});

describe('an MPIJob v1', () => {
  it('has no Services', () => {
    expect(servicesOf(anMpiJob().job())).toEqual([]);
  });

  it('creates its launcher when its workers are ready, as a gang of workers', () => {
    const { plan, gang } = anMpiJob(3).with('spec.runPolicy.schedulingPolicy.minAvailable', 4).job();
    expect(plan.roles.map(({ name, after }) => [name, after])).toEqual([
      ['Launcher', ['Worker']],
      ['Worker', undefined],
    ]);
    expect(gang.minMember).toBe(3);
  });

  it('has only its launcher without workers', () => {
    const { plan, gang } = anMpiJob(0).job();
    expect(plan.roles).toEqual([{ name: 'Launcher', replicas: 1, restartPolicy: 'Never' }]);
    expect(plan.hostList).toBeUndefined();
    expect(gang.minMember).toBe(1);
  });

  it('reports a failure as every other kind does', () => {
    const course = new Course(anMpiJob().job()).sees({ Worker: 'ready' });
    const { status } = course
      .sees({ Worker: 'ready', Launcher: 'ready' })
      .seesFailure({ role: 'Launcher', index: 0 }, {});
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'MPIJobFailed',
      message: 'MPIJob resnet is failed because 1 Launcher replica(s) failed.',
    });
  });

  it.each([
    [{}, 'None'],
    [{ cleanPodPolicy: 'All' }, 'All'],
    [{ runPolicy: { cleanPodPolicy: 'Running' } }, 'Running'],
    [{ cleanPodPolicy: 'All', runPolicy: { cleanPodPolicy: 'Running' } }, 'Running'],
    [{ cleanPodPolicy: 'All', runPolicy: { backoffLimit: 3 } }, 'All'],
  ])('with %j cleans up %s', (policies, expected) => {
    const manifest = Object.entries(policies).reduce(
      (builder, [field, value]) => builder.with(`spec.${field}`, value),
      anMpiJob(),
    );
    expect(manifest.job().plan.runPolicy.cleanPodPolicy).toBe(expected);
    expect(manifest.job().warnings).toEqual([]);
  });

  it('warns of a container that no worker has', () => {
    expect(anMpiJob().with('spec.mainContainer', 'horovod').job().warnings).toEqual([
      'spec.mainContainer: Worker has no container named horovod; its launcher cannot reach it',
    ]);
  });

  it.each([
    [anMpiJob().role('Launcher', 'replicas', 2), `${SPECS}.Launcher.replicas: expected exactly 1, got 2`],
    [anMpiJob().role('Launcher', '', undefined), `${SPECS}.Launcher: expected a role, got nothing`],
    [anMpiJob().with('spec.slotsPerWorker', -1), 'spec.slotsPerWorker: expected an integer >= 0, got -1'],
    [
      anMpiJob().with('spec.cleanPodPolicy', 'Some'),
      'spec.cleanPodPolicy: expected one of All, Running, None, got "Some"',
    ],
  ])('is refused if it has a fault: %#', (manifest, fault) => {
    expect(manifest.faults()).toEqual([fault]);
  });
});
