import type { Compatibility } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const MPI_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'MPIJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'told-before-it-starts',
      area: 'manifest',
      original: 'Reports an invalid manifest only in events, again and again.',
      signalbox: 'Rejects it at once and lists every error by its path.',
      why: 'A job that cannot run should not be left waiting.',
    },
    {
      id: 'arguments-are-kept',
      area: 'objects',
      original: 'A worker without a command sleeps; its arguments are discarded.',
      signalbox: 'It sleeps only if it has neither; with arguments it runs its image’s entrypoint.',
      why: 'The manifest takes precedence.',
    },
    {
      id: 'role-without-workers',
      area: 'objects',
      original: 'Without workers, the launcher may run commands in every pod of the namespace.',
      signalbox: 'The launcher may then run commands in no pod.',
      why: 'The names should narrow the rule, but an empty list does the opposite.',
    },
    {
      id: 'kubectl-brought-along',
      area: 'objects',
      original: 'Adds `kubectl-delivery` even if the manifest has one; the API server then rejects the pod.',
      signalbox: 'Keeps the manifest’s own.',
      why: 'Users can provide kubectl in another way.',
    },
    {
      id: 'kubectl-as-restricted',
      area: 'objects',
      original:
        'Adds `kubectl-delivery` without a security context; Pod Security `restricted` then rejects the pod.',
      signalbox: 'Gives it the restrictions of the main container.',
      why: 'A template that complies should not be refused for what is added to it.',
    },
    {
      id: 'hosts-that-are-ready',
      area: 'running',
      original:
        '`discover_hosts.sh` lists the workers whose containers have started, by name: `worker-10` before `worker-2`.',
      signalbox: 'Lists those that are ready, by index.',
      why: 'Ranks should not depend on the number of workers.',
    },
    {
      id: 'launcher-comes-last',
      area: 'running',
      original: 'Creates the launcher together with its workers; it fails if it starts before they do.',
      signalbox:
        'Creates it when all workers are ready. A gang scheduler places the workers together, then the launcher.',
      why: 'Only a running worker can be reached.',
    },
    {
      id: 'restart-policies-hold',
      area: 'running',
      original:
        'A failed pod fails the job even with `OnFailure` and `Always`; with `ExitCode` the job hangs in Restarting.',
      signalbox: 'It is recreated and the job continues; a permanent code fails the job.',
      why: 'The policy says so.',
    },
    {
      id: 'reason-of-failure',
      area: 'status',
      original: 'The reason of Failed is `MPIJobMPIJobFailed`.',
      signalbox: 'It is `MPIJobFailed`.',
      why: 'The repeated name is a typo; other kinds have it once.',
    },
    {
      id: 'running-is-true',
      area: 'status',
      original: 'Running is True while the launcher runs, whatever its workers do.',
      signalbox: 'Running is True when the launcher and every worker are ready.',
      why: 'A job with a missing worker does not train.',
    },
    {
      id: 'roles-of-the-manifest',
      area: 'status',
      original: '`replicaStatuses` has an empty Worker if the job has none.',
      signalbox: 'It has exactly the roles of the manifest.',
      why: 'It shows which roles exist.',
    },
  ],
};
