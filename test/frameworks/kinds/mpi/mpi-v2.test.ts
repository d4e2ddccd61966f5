import { describe, expect, it } from '@jest/globals';
import { isReplica } from '../../../../contracts/pod.ts';
import { Course } from '../../../comparison/course.ts';
import { aContainer } from '../../manifests.ts';
import { anMpiV2Job, fileOf, mainOf, podOf, servicesOf, sharedOf, variablesOf } from '../../mpi-jobs.ts';

describe('an implementation of MPI', () => {
  const hostOf = (index: number) => `resnet-worker-${index}.resnet.ml.svc`;
  const table: readonly [name: string | undefined, line: string, variables: Record<string, string>][] = [
    [
      undefined,
      ' slots=4',
      {
        OMPI_MCA_orte_keep_fqdn_hostnames: 'true',
        OMPI_MCA_orte_default_hostfile: '/etc/mpi/hostfile',
        OMPI_MCA_plm_rsh_args: '-o ConnectionAttempts=10',
        OMPI_MCA_orte_set_default_slots: '4',
      },
    ],
    [
      'Intel',
      ':4',
      {
        I_MPI_HYDRA_HOST_FILE: '/etc/mpi/hostfile',
        I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS: '-o ConnectionAttempts=10',
        I_MPI_PERHOST: '4',
      },
    ],
    [
      'MPICH',
      ':4',
      { HYDRA_HOST_FILE: '/etc/mpi/hostfile', HYDRA_LAUNCH_EXTRA_ARGS: '-o ConnectionAttempts=10' },
    ],
  ];
  it.each(table)('%s reads hosts as %s, and its own variables', (name, line, variables) => {
    const job = anMpiV2Job().with('spec.mpiImplementation', name).with('spec.slotsPerWorker', 4).job();
    expect(fileOf(job, 'hostfile')).toBe(`${hostOf(0)}${line}\n${hostOf(1)}${line}\n`);
    expect(variablesOf(job, 'launcher')).toEqual({
      K_MPI_JOB_ROLE: 'launcher',
      ...variables,
      NVIDIA_VISIBLE_DEVICES: '',
      NVIDIA_DRIVER_CAPABILITIES: '',
      SIGNALBOX_ATTEMPT: '1',
    });
    expect(variablesOf(job, 'worker-1')).toEqual({ K_MPI_JOB_ROLE: 'worker', SIGNALBOX_ATTEMPT: '1' });
  });
});

describe('a launcher that is also a worker', () => {
  const job = anMpiV2Job(1).with('spec.runLauncherAsWorker', true).job();
  const launcher = 'resnet-launcher.resnet.ml.svc';
  const worker = 'resnet-worker-0.resnet.ml.svc';

  it('is the first host, and is always ready', () => {
    expect(fileOf(job, 'hostfile')).toBe(`${launcher} slots=1\n${worker} slots=1\n`);
    expect(fileOf(job, 'discover_hosts.sh')).toBe(`#!/bin/sh\necho ${launcher}\n`);
    expect(fileOf(job, 'discover_hosts.sh', [0])).toBe(`#!/bin/sh\necho ${launcher}\necho ${worker}\n`);
  });

  it('keeps the GPUs of its node', () => {
    expect(variablesOf(job, 'launcher')).not.toHaveProperty('NVIDIA_VISIBLE_DEVICES');
  });
});

describe('a pod of an MPIJob v2beta1', () => {
  it('is found by its host name in the Service of the job', () => {
    const job = anMpiV2Job().job();
    expect(podOf(job, 'launcher').spec).toMatchObject({ hostname: 'resnet-launcher', subdomain: 'resnet' });
    expect(podOf(job, 'worker-1').spec).toMatchObject({ hostname: 'resnet-worker-1', subdomain: 'resnet' });
    expect(sharedOf(job).Service).toMatchObject({
      metadata: { name: 'resnet' },
      spec: { clusterIP: 'None', publishNotReadyAddresses: true },
    });
    const { selector } = sharedOf(job).Service!.spec as { selector: Record<string, string> };
    expect(podOf(job, 'launcher').metadata.labels).toMatchObject(selector);
    expect(isReplica(podOf(job, 'launcher'))).toBe(true);
    expect(podOf(job, 'worker-0').metadata.labels).toMatchObject(selector);
    expect(servicesOf(job)).toEqual([]);
  });

  it.each([
    [{}, 'resnet.ml.svc.cluster.local'],
    [{ domain: 'train.example' }, 'resnet.ml.svc.train.example'],
  ])('that works searches the domain of the cluster: %j', (conventions, domain) => {
    const job = anMpiV2Job().role('Worker', 'template.spec.dnsConfig', { searches: ['own.example'] });
    expect(podOf(job.job(conventions), 'worker-0').spec.dnsConfig).toEqual({
      searches: ['own.example', domain],
    });
    expect(podOf(job.job(conventions), 'launcher').spec.dnsConfig).toBeUndefined();
  });

  it.each(['Launcher', 'Worker'])('uses the cluster’s DNS on its node’s network too: %s', (role) => {
    const job = anMpiV2Job(1).role(role, 'template.spec.hostNetwork', true).job();
    const end = role === 'Worker' ? 'worker-0' : 'launcher';
    expect(podOf(job, end).spec.dnsPolicy).toBe('ClusterFirstWithHostNet');
  });

  it.each([
    [undefined, '/root/.ssh', 0o600],
    ['/home/mpiuser/.ssh', '/home/mpiuser/.ssh', 0o644],
  ])('has the keys of ssh at %s', (given, mountPath, defaultMode) => {
    const job = anMpiV2Job().with('spec.sshAuthMountPath', given).job();
    for (const end of ['launcher', 'worker-0']) {
      expect(mainOf(job, end).volumeMounts).toContainEqual({ name: 'ssh-auth', mountPath });
      expect(podOf(job, end).spec.volumes).toContainEqual(
        expect.objectContaining({
          secret: expect.objectContaining({ secretName: 'resnet-ssh', defaultMode }),
        }),
      );
    }
  });

  it.each([
    [{}, { command: ['/usr/sbin/sshd', '-De'] }],
    [{ command: ['serve'] }, { command: ['serve'] }],
    [{ args: ['-De', '-f', 'own'] }, { args: ['-De', '-f', 'own'] }],
  ])('that works with %j runs %j', (given, runs) => {
    const job = anMpiV2Job()
      .role('Worker', 'template.spec.containers', [aContainer(given)])
      .job();
    const { command, args } = mainOf(job, 'worker-0');
    expect({ command, args }).toEqual({ command: undefined, args: undefined, ...runs });
  });
});

it('the SSH keys of an MPIJob v2beta1 are not in what is rendered', () => {
  const { Secret } = sharedOf(anMpiV2Job().job());
  expect(Secret).toMatchObject({ type: 'kubernetes.io/ssh-auth', metadata: { name: 'resnet-ssh' } });
  expect(Secret).not.toHaveProperty('data');
});

describe('the gang of an MPIJob v2beta1', () => {
  it.each([
    ['AtStartup', 4, undefined],
    ['WaitForWorkersReady', 3, ['Worker']],
  ])('with %s has %i members', (policy, members, after) => {
    const { gang, plan } = anMpiV2Job(3).with('spec.launcherCreationPolicy', policy).job();
    expect(gang.minMember).toBe(members);
    expect(plan.roles[0]?.after).toEqual(after);
  });

  it('has the queue and the priority that mpi-operator finds', () => {
    const manifest = anMpiV2Job()
      .with('metadata.annotations', { 'scheduling.volcano.sh/queue-name': 'research' })
      .role('Worker', 'template.spec.priorityClassName', 'low');
    expect(manifest.job().gang).toMatchObject({ queue: 'research', priorityClass: 'low' });
    const policy = { queue: 'prod', priorityClass: 'high' };
    expect(manifest.with('spec.runPolicy.schedulingPolicy', policy).job().gang).toMatchObject(policy);
  });
});

describe('a failed pod of an MPIJob v2beta1', () => {
  const running = (manifest = anMpiV2Job()) =>
    new Course(manifest.job()).sees({ Launcher: 'ready', Worker: 'ready' });

  it('is recreated if it is the launcher, even with Never', () => {
    const manifest = anMpiV2Job().role('Launcher', 'restartPolicy', 'Never');
    const { status } = running(manifest).seesFailure({ role: 'Launcher', index: 0 }, {});
    expect(status).toMatchObject({ phase: 'Pending', restarts: 1 });
  });

  it('is recreated six times by default', () => {
    const limitOf = (manifest = anMpiV2Job()) => manifest.job().plan.runPolicy.backoffLimit;
    expect(limitOf()).toBe(6);
    expect(limitOf(anMpiV2Job().with('spec.runPolicy.backoffLimit', 2))).toBe(2);
  });

  it('has no effect if it is a worker', () => {
    const { status } = running().seesFailure({ role: 'Worker', index: 0 }, {});
    expect(status.phase).toBe('Running');
    expect(status.replicaStatuses.Worker).toEqual({ active: 1, failed: 1 });
  });

  it('has no effect even if it is the only worker: the launcher decides', () => {
    const course = running(anMpiV2Job(1)).seesFailure({ role: 'Worker', index: 0 }, {});
    expect(course.status.phase).toBe('Running');
    const { status } = course.seesFailure({ role: 'Worker', index: 0 }, { Launcher: 'succeeded' });
    expect(status.phase).toBe('Completed');
  });

  it('ends the job if it is a worker that was evicted', () => {
    const { status } = running().seesFailure({ role: 'Worker', index: 0, reason: 'Evicted' }, {});
    expect(status.cause?.reason).toBe('PodEvicted');
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'MPIJobEvicted',
      message: '1/2 workers are evicted',
    });
  });
});

describe('an MPIJob v2beta1', () => {
  it('keeps a launcher that has finished, whatever it removes', () => {
    const policyOf = (policy?: string) =>
      anMpiV2Job().with('spec.runPolicy.cleanPodPolicy', policy).job().plan.runPolicy.cleanPodPolicy;
    expect([undefined, 'None', 'Running', 'All'].map(policyOf)).toEqual([
      'None',
      'None',
      'Running',
      'Running',
    ]);
  });

  it.each([
    [anMpiV2Job().with('spec.mpiImplementation', 'MVAPICH'), 'spec.mpiImplementation: expected one of'],
    [
      anMpiV2Job().with('spec.launcherCreationPolicy', 'Later'),
      'spec.launcherCreationPolicy: expected one of',
    ],
    [anMpiV2Job().with('spec.sshAuthMountPath', ''), 'spec.sshAuthMountPath: expected a non-empty string'],
    [anMpiV2Job().with('spec.slotsPerWorker', -1), 'spec.slotsPerWorker: expected an integer >= 0, got -1'],
    [
      anMpiV2Job().with('spec.runPolicy.managedBy', 'kubeflow.org/training-operator'),
      'spec.runPolicy.managedBy: expected kubeflow.org/mpi-operator, signalbox.dev/bridge, or no value',
    ],
  ])('is refused if it has a fault: %#', (manifest, fault) => {
    const faults = manifest.faults();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it('may name its original operator in managedBy', () => {
    const manifest = anMpiV2Job().with('spec.runPolicy.managedBy', 'kubeflow.org/mpi-operator');
    expect(manifest.faults()).toEqual([]);
  });
});
