import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { INTERRUPTIONS } from '../../contracts/ends.ts';
import { jobArguments } from '../../contracts/job-arguments.ts';
import { messageOfCause } from '../../contracts/message-of-cause.ts';
import { REASON_CODES, REASONS, type ReasonCode } from '../../contracts/reasons.ts';
import { remedyOfCause } from '../../contracts/remedies.ts';
import { SIGNATURES } from '../../contracts/signatures.ts';
import type { Cause } from '../../contracts/types.ts';
import { WAITS } from '../../contracts/waits.ts';
import { keysOf } from '../../language/fields.ts';
import { TIMES } from '../times.ts';

const JOB = 'fit -n ml';
const POD = { pod: 'fit-worker-0', node: 'gpu-3', container: 'pytorch' };

const failed = (end: Partial<Cause>, reason: ReasonCode = 'PodFailed'): Cause => ({
  ...{ reason, message: 'fit-worker-0 failed', ...POD, podReason: 'Error' },
  ...end,
});

const EVIDENCE = '`signalbox evidence fit -n ml --pod fit-worker-0` has its last lines.';
const RESTART = 'If a restart could succeed, choose restartPolicy OnFailure or ExitCode.';
const exec = (command: string, why: string) =>
  `failed to create containerd task: OCI runtime create failed: exec: "${command}": ${why}: unknown`;

/** What a person reads for each way in which a container ends, whole. */
const TABLE: readonly (readonly [end: string, cause: Cause, remedy: string])[] = [
  [
    'an exception',
    failed({ exitCode: 1 }),
    `Exit code 1 is an error of the program, as an exception of Python that nothing catches. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a GPU without room',
    failed({
      exitCode: 1,
      error: {
        ...{ line: 'torch.OutOfMemoryError: CUDA out of memory.', pods: 1, signature: 'GpuOutOfMemory' },
        ...{ pod: 'fit-worker-3', node: 'gpu-7', class: 'memory' },
      },
    }),
    'The GPU has too little memory for what the program asks of it. Use less of it: a smaller batch for each rank, gradient accumulation, activation checkpointing, shards over more ranks; or request a GPU with more memory. If it ends like this on node gpu-7 alone, another process may hold memory there: `kubectl describe node gpu-7` lists its pods. `signalbox evidence fit -n ml --pod fit-worker-3` has its last lines.',
  ],
  [
    'a log that says less than Kubernetes',
    failed({
      ...{ exitCode: 137, podReason: 'OOMKilled', memoryLimit: '2Gi' },
      error: { line: 'Killed', pods: 1, pod: 'fit-worker-0', signature: 'PeerEnded', class: 'cascade' },
    }),
    'The kernel killed container pytorch, which used more memory than its limit of 2Gi. Raise requests and limits of memory in its template, or let it use less, e.g. by smaller batches or fewer workers that load data. `signalbox evidence fit -n ml --pod fit-worker-0` has its last lines.',
  ],
  [
    'wrong arguments',
    failed({ exitCode: 2 }),
    `Exit code 2 most often means wrong arguments, or a program file that is not there: compare command and args of container pytorch with its last lines. ${EVIDENCE}`,
  ],
  [
    'a code of its own',
    failed({ exitCode: 42 }),
    `Exit code 42 is the program's own. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a file that is no program',
    failed({ exitCode: 126 }),
    `Exit code 126 is a shell that may not execute a command: make it executable, or correct command and args of container pytorch. ${EVIDENCE}`,
  ],
  [
    'a command that a shell does not find',
    failed({ exitCode: 127 }),
    `Exit code 127 is a shell that found no such command: correct command, args or PATH of container pytorch, or use an image that has it. ${EVIDENCE}`,
  ],
  [
    'a failed assertion',
    failed({ exitCode: 134 }),
    `Exit code 134 is SIGABRT. The program gave up in native code, e.g. at a failed assertion or a time-out of NCCL, which its last lines name. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'too little shared memory',
    failed({ exitCode: 135 }),
    `Exit code 135 is SIGBUS. Most often shared memory is full: /dev/shm has 64Mi unless the template mounts an emptyDir of medium Memory there. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a kill',
    failed({ exitCode: 137, memoryLimit: '2Gi' }),
    `Exit code 137 is SIGKILL. Most often the kernel kills for lack of memory (container pytorch has a limit of 2Gi); else a grace period was over, or a liveness probe had failed. Raise requests and limits of memory in its template, or let it use less, e.g. by smaller batches or fewer workers that load data. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a kill without a limit',
    failed({ exitCode: 137 }),
    `Exit code 137 is SIGKILL. Most often the kernel kills for lack of memory (container pytorch has no limit of its own); else a grace period was over, or a liveness probe had failed. Raise requests and limits of memory in its template, or let it use less, e.g. by smaller batches or fewer workers that load data. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'more memory than its limit',
    failed({ exitCode: 137, podReason: 'OOMKilled', memoryLimit: '2Gi' }),
    `The kernel killed container pytorch, which used more memory than its limit of 2Gi. Raise requests and limits of memory in its template, or let it use less, e.g. by smaller batches or fewer workers that load data. ${EVIDENCE}`,
  ],
  [
    'native code that fails',
    failed({ exitCode: 139 }),
    `Exit code 139 is SIGSEGV. Native code failed, e.g. an extension that was built for another version: PYTHONFAULTHANDLER=1 in env shows where in Python. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a request to stop',
    failed({ exitCode: 143 }),
    `Exit code 143 is SIGTERM. It was told to stop: by a deletion, a node that shuts down, a failed liveness probe, or another process. A program that handles SIGTERM can write a checkpoint. ${EVIDENCE} ${RESTART}`,
  ],
  [
    'a command that the image does not have',
    failed({
      ...{ exitCode: 128, podReason: 'StartError' },
      message: exec('python4', 'executable file not found in $PATH'),
    }),
    'The image has no `python4`: correct command and args of container pytorch, or use an image that has it.',
  ],
  [
    'a file that is not executable',
    failed({
      ...{
        exitCode: 126,
        podReason: 'ContainerCannotRun',
        message: exec('/job/train.py', 'permission denied'),
      },
    }),
    'The image has `/job/train.py`, but it is not executable: correct command and args of container pytorch, or use an image in which it is executable.',
  ],
  [
    'an image for other processors',
    failed({ exitCode: 128, podReason: 'StartError', message: exec('/bin/sh', 'exec format error') }),
    'The node cannot execute `/bin/sh`, which is for other processors or has no #! line: correct command and args of container pytorch, or use an image for the processors of the node.',
  ],
  [
    'a crash loop',
    failed({ exitCode: 1 }, 'ContainersRestarting'),
    'Exit code 1 is an error of the program, as an exception of Python that nothing catches. `signalbox logs fit -n ml --pod fit-worker-0 -c pytorch --previous` prints the run that ended. Limit how often it is restarted by a rung of scope container in restart.ladder, or by backoffLimit where the manifest can have one.',
  ],
  [
    'too many restarts of deleted pods',
    failed({ exitCode: undefined, podReason: 'EvictionByEvictionAPI' }, 'BackoffLimitExceeded'),
    'The pod was evicted: that is no fault of the program. Raise the limit that the rule names if restarts are expected.',
  ],
  [
    'a pod that stalled too often',
    { reason: 'FailureBudgetExceeded', message: 'no progress since it started running', ...POD },
    `${EVIDENCE} A larger budget of the class, in the annotation signalbox.dev/policy, allows more.`,
  ],
  [
    'pods that disappeared',
    { reason: 'BackoffLimitExceeded', message: 'pods disappeared before they finished' },
    '`signalbox history fit -n ml` says what became of the pods. Raise the limit that the rule names if restarts are expected.',
  ],
  [
    'a node that is lost',
    failed({ exitCode: undefined, podReason: undefined }, 'NodeLost'),
    'Repair or remove node gpu-3; the job’s restart rules decide what follows.',
  ],
  [
    'an image that is not there',
    { reason: 'StartUpFailed', message: '1 wait with ImagePullBackOff', podReason: 'ImagePullBackOff' },
    WAITS.ImagePullBackOff.remedy,
  ],
  [
    'a node that its template names and that does not exist',
    failed({
      podReason: 'NodeMissing',
      message: 'fit-worker-0 failed: spec.nodeName of its template names node sim-77, which does not exist',
    }),
    'Name a node that exists (`kubectl get nodes` lists them) in spec.nodeName of the pod template, which now names sim-77; or remove it, so that a scheduler chooses the node. Then submit the job again.',
  ],
  [
    'a LimitRange',
    {
      reason: 'ClusterRefused',
      message: 'pods "fit-worker-0" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    },
    'Lower limits.cpu of each container to at most 1. Or an administrator changes max of cpu in the LimitRange: `kubectl describe limitrange -n ml` shows it. Then submit the job again.',
  ],
  [
    'a quota that others use',
    {
      reason: 'QuotaExceeded',
      message:
        'pods "fit-worker-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3; retrying',
    },
    `Request no more pods until others give back what they use of the quota: \`kubectl describe resourcequota team -n ml\` shows it. An administrator can raise it to 4 or more: \`kubectl patch resourcequota team -n ml --type merge -p '{"spec":{"hard":{"pods":"4"}}}'\`. The job then continues by itself.`,
  ],
  [
    'a stall',
    { reason: 'Stalled', message: 'no progress since it started running' },
    'Read the last log lines of the pods that still ran: `signalbox evidence fit -n ml`. If they show progress, check the pattern progress.log, and that each report ends its line.',
  ],
  [
    'a deadline',
    { reason: 'DeadlineExceeded', message: 'the job was active for longer than allowed' },
    'Raise the limit, or see what took the time: `signalbox history fit -n ml`.',
  ],
];

describe('the remedy', () => {
  test.each(TABLE)('for %s fits', (_, cause, remedy) => {
    expect(remedyOfCause(cause, JOB)).toBe(remedy);
  });

  it('holds no placeholder, whatever a cause knows, and each command names the job', () => {
    const anEnd = fc.record(
      {
        pod: fc.constant(POD.pod),
        node: fc.constant(POD.node),
        container: fc.constant(POD.container),
        exitCode: fc.integer({ min: 0, max: 255 }),
        signal: fc.integer({ min: 1, max: 64 }),
        memoryLimit: fc.constant('2Gi'),
        podReason: fc.constantFrom(
          ...Object.keys(INTERRUPTIONS),
          ...Object.keys(WAITS),
          ...['OOMKilled', 'StartError', 'ContainerCannotRun', 'Error', 'Completed', 'constructor'],
        ),
      },
      { requiredKeys: [] },
    );
    const aMessage = fc.constantFrom(
      ...['', 'it failed', exec('python4', 'no such file or directory')],
      '0/4 nodes are available: 4 Insufficient nvidia.com/gpu.',
    );
    fc.assert(
      fc.property(fc.constantFrom(...REASON_CODES), anEnd, aMessage, (reason, end, message) => {
        const remedy = remedyOfCause({ reason, message, ...end }, JOB);
        expect(remedy).not.toMatch(PLACEHOLDER);
        expect(remedy).toMatch(/\.$/);
        for (const [command] of remedy.matchAll(/`signalbox [^`]+`/g)) {
          if (!OF_NO_JOB.test(command)) expect(command).toContain(JOB);
        }
      }),
      { numRuns: 500 * TIMES },
    );
  });

  it.each(keysOf(SIGNATURES))('for %s in a log can be typed as it stands', (signature) => {
    const whole = { exitCode: 1, memoryLimit: '2Gi' };
    const ends = [whole, { exitCode: 1, container: undefined, node: undefined }];
    for (const end of ends) {
      const node = 'node' in end ? undefined : 'gpu-3';
      const error = { line: 'x', pod: 'fit-worker-0', pods: 1, signature, ...(node ? { node } : {}) };
      const remedy = remedyOfCause(failed({ ...end, error }), JOB);
      expect(remedy).toContain(SIGNATURES[signature].means);
      expect(remedy).not.toMatch(PLACEHOLDER);
      expect(remedy).toMatch(/\.$/);
      for (const [command] of remedy.matchAll(/`signalbox [^`]+`/g)) expect(command).toContain(JOB);
      for (const [, named] of remedy.matchAll(/`kubectl (?:cordon|describe node) ([^`]+)`/g))
        expect(named).toBe('gpu-3');
    }
  });

  it('names a log only where a container has run', () => {
    const ofEnds = TABLE.filter(
      ([, { reason }]) => REASONS[reason].class === 'program' && reason !== 'Stalled',
    );
    for (const [, { pod, podReason = '' }, remedy] of ofEnds) {
      const hasRun = pod !== undefined && !/StartError|CannotRun|Eviction|NodeMissing/.test(podReason);
      expect(/`signalbox (evidence|logs) /.test(remedy)).toBe(hasRun);
    }
  });
});

const PLACEHOLDER = /\b(NAME|POD|CONTAINER|NODE|NAMESPACE|LIMIT)\b|undefined|[<>{}]/;

/** Commands about no single job. */
const OF_NO_JOB = /`signalbox (doctor|watcher|up|queue|sandbox up --gpus 8|schedule create)`/;

describe('a command names a job', () => {
  it('by its name, or by the id of its workflow if that is another', () => {
    const job = { name: 'fit', namespace: 'ml' };
    expect(jobArguments(job)).toBe('fit -n ml');
    expect(jobArguments(job, 'job/ml/fit')).toBe('fit -n ml');
    expect(jobArguments(job, 'nightly-2026')).toBe('--workflow-id nightly-2026');
    expect(jobArguments(job, "it's mine")).toBe("--workflow-id 'it'\\''s mine'");
  });
});

describe('the message of a cause beside its rule', () => {
  it('does not repeat the rule', () => {
    const rule = 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never';
    expect(messageOfCause({ reason: 'PodFailed', rule, message: `it failed; ${rule}` })).toBe('it failed');
    expect(messageOfCause({ reason: 'PodFailed', message: `it failed; ${rule}` })).toBe(`it failed; ${rule}`);
    expect(messageOfCause({ reason: 'StopRequested', message: '' })).toBe('A user stopped the job.');
  });
});

describe('pods without a node', () => {
  const remedy = (message: string) => remedyOfCause({ reason: 'Unschedulable', message }, JOB);

  it('are told of pretended GPUs where GPUs are what lacks', () => {
    expect(remedy('0/4 nodes are available: 4 Insufficient nvidia.com/gpu.')).toMatch(/sandbox up --gpus 8/);
    expect(remedy('needs 192 nvidia.com/gpu, the cluster has 32')).toMatch(/sandbox up --gpus 8/);
    const message =
      'each worker pod requests 8 nvidia.com/gpu, the largest node has 0; 0 of 1 pods have a node';
    expect(remedyOfCause({ reason: 'NeverFits', message }, JOB)).toMatch(/sandbox up --gpus 8/);
  });

  it('are not where something else is', () => {
    expect(remedy('0/4 nodes are available: 4 Insufficient memory.')).not.toMatch(/--gpus/);
    expect(remedy('4 node(s) had untolerated taint(s) {nvidia.com/gpu: true}.')).not.toMatch(/--gpus/);
  });
});
