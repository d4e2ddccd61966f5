import type { Compatibility } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const MPI_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'MPIJob',
  original: 'training-operator v1.9',
  same: 'Pods, names, labels, variables, volumes and the init container that brings kubectl; the ConfigMap with `hostfile`, `kubexec.sh` and `discover_hosts.sh`; ServiceAccount, Role and RoleBinding; conditions and messages.',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'told-before-it-starts',
      area: 'manifest',
      original: 'Tells what is wrong with a manifest in events only, again and again.',
      signalbox: 'Refuses it at once and lists every fault by its path.',
      why: 'A job that cannot run is better refused than left waiting.',
    },
    {
      id: 'arguments-are-kept',
      area: 'objects',
      original: 'A worker without a command sleeps, and its arguments are thrown away.',
      signalbox: 'It sleeps if it has neither; with arguments it runs what its image runs.',
      why: 'What somebody writes is what they get.',
    },
    {
      id: 'role-without-workers',
      area: 'objects',
      original: 'Without workers the launcher may run commands in every pod of the namespace.',
      signalbox: 'In none.',
      why: 'The names were meant to narrow the rule; an empty list does the opposite.',
    },
    {
      id: 'kubectl-brought-along',
      area: 'objects',
      original:
        'Adds `kubectl-delivery` also where the manifest has an init container of that name; the pod is then refused.',
      signalbox: 'Leaves it to the manifest’s own.',
      why: 'Somebody who brings kubectl in another way can say so.',
    },
    {
      id: 'hosts-that-are-ready',
      area: 'running',
      original:
        '`discover_hosts.sh` lists the workers whose containers have started, by name: `worker-10` before `worker-2`.',
      signalbox: 'Those that are ready, by index.',
      why: 'Ranks should not depend on how many workers there are.',
    },
    {
      id: 'launcher-comes-last',
      area: 'running',
      original: 'Makes the launcher together with its workers; it fails if it is faster than they are.',
      signalbox:
        'Makes it when all workers are ready. A gang scheduler places the workers together, the launcher after them.',
      why: 'Only a worker that runs can be reached.',
    },
    {
      id: 'restart-policies-hold',
      area: 'running',
      original:
        'A failed pod fails the job also with `OnFailure` and `Always`; with `ExitCode` it is never made again, whatever its code, and the job hangs in Restarting.',
      signalbox:
        'It is made again and the job goes on; a permanent code fails the job. So it is with every other kind.',
      why: 'The policy says so.',
    },
    {
      id: 'reason-of-failure',
      area: 'status',
      original: 'The reason of Failed is `MPIJobMPIJobFailed`.',
      signalbox: '`MPIJobFailed`.',
      why: 'A slip of the pen: every other kind has its own name once.',
    },
    {
      id: 'running-is-true',
      area: 'status',
      original: 'Running is True while the launcher runs, whatever its workers do.',
      signalbox: 'When the launcher and every worker are ready.',
      why: 'A job with a missing worker does not train.',
    },
    {
      id: 'roles-of-the-manifest',
      area: 'status',
      original: '`replicaStatuses` has a Worker that is empty where the job has none.',
      signalbox: 'It has the roles of the manifest.',
      why: 'What there is can be read from it.',
    },
  ],
};
