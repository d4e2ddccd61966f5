import { describe, expect, test } from '@jest/globals';
import { jobTable } from '../../../cli/print/job-table.ts';
import { jobText, type SubmittedStatus } from '../../../cli/print/job-text.ts';
import type { JobSummary } from '../../../client/servers/summary.ts';
import type { EvidenceSummary } from '../../../contracts/types.ts';

const aStatus = (more: Partial<SubmittedStatus> = {}): SubmittedStatus => ({
  ...{ kind: 'PyTorchJob', name: 'train', namespace: 'ml', phase: 'Running', state: 'Running' },
  ...{ attempt: 2, restarts: 3, conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
  ...more,
});

const textOf = (more: Partial<SubmittedStatus>, workflowId = 'job/ml/train') =>
  jobText(aStatus(more), workflowId);

const aFailure = (index: number, more: Partial<EvidenceSummary> = {}): EvidenceSummary => ({
  ...{ pod: `train-worker-${index}`, uid: `uid-${index}`, role: 'worker', index, attempt: 1 },
  ...{ node: `gpu-${index}`, container: 'pytorch', exitCode: 1, takenAt: '2026-07-01T12:00:00Z' },
  ...more,
});

describe('the text of a job', () => {
  test('shows its progress', async () => {
    expect(await textOf({ progress: '1200' })).toMatch(/^ {2}progress {2}1200$/m);
  });

  test('shows where the console has its page', async () => {
    expect(await textOf({ console: 'https://console.example/jobs/ml/train' })).toMatch(
      /^ {2}console {3}https:\/\/console.example\/jobs\/ml\/train$/m,
    );
  });

  test('shows what pods hold that outlive it, and how to end them', async () => {
    const remainingPods = { pods: 2, holds: { cpu: '16', 'nvidia.com/gpu': '8' } };
    expect(await textOf({ phase: 'Completed', remainingPods })).toMatch(
      /^ {2}pods left 2 still run and hold 8 nvidia.com\/gpu; with cleanPodPolicy Running a job ends its pods$/m,
    );
  });

  test('shows the remaining budgets', async () => {
    const budgets = { userCode: { used: 2, allowed: 5 }, stalled: { used: 1, allowed: 1 } };
    const text = await textOf({ budgets });
    expect(text).toMatch(/^ {2}budget {4}userCode: 2 of 5 used$/m);
    expect(text).toMatch(/^ {2}budget {4}stalled: 1 of 1 used, none left$/m);
  });

  test('shows which nodes it avoids, and until when', async () => {
    const text = await textOf({ avoided: { 'gpu-7': '2026-07-01T13:00:00Z' } });
    expect(text).toMatch(/^ {2}avoids {4}gpu-7 until 2026-07-01T13:00:00Z$/m);
  });

  test('shows a message of several lines below its name', async () => {
    const cause = { reason: 'PodFailed', message: 'first\n  phase  Completed' } as const;
    expect(await textOf({ cause })).toContain('cause     PodFailed: first\n              phase  Completed\n');
  });

  test('shows what the log of the failed pod says', async () => {
    const error = { line: 'ValueError: no such path', pod: 'train-worker-1', pods: 1 };
    const cause = {
      reason: 'PodFailed',
      message: 'exited with code 1',
      pod: 'train-worker-1',
      error,
    } as const;
    expect(await textOf({ phase: 'Failed', cause })).toMatch(
      /cause {5}PodFailed: exited with code 1\n {2}error {5}ValueError: no such path\n/,
    );
    const many = { ...cause, error: { ...error, pod: 'train-worker-3', pods: 8 } };
    expect(await textOf({ phase: 'Failed', cause: many })).toMatch(
      /^ {2}error {5}ValueError: no such path \(train-worker-3 and 7 more\)$/m,
    );
  });

  test('shows what failures that are alike point to', async () => {
    const advice = { sentence: 'It is the program.', blames: 'program', failures: 2, nodes: [] } as const;
    expect(await textOf({ phase: 'Running', advice })).toMatch(/^ {2}advice {4}It is the program\.$/m);
  });

  test('says when a pod failed, or when that was seen', async () => {
    const evidence = [aFailure(1, { failedAt: '2026-07-01T11:59:55Z' }), aFailure(2)];
    const text = await textOf({ phase: 'Failed', evidence });
    expect(text).toMatch(/train-worker-1 .* 2026-07-01T11:59:55Z/);
    expect(text).toMatch(/train-worker-2 .* 2026-07-01T12:00:00Z/);
  });

  test('says where it failed, but for what the message names itself', async () => {
    const place = { pod: 'train-worker-1', container: 'train', node: 'gpu-7', exitCode: 1 };
    const failed = (message: string) =>
      textOf({ phase: 'Failed', cause: { reason: 'PodFailed', message, ...place } });
    const all = 'train-worker-1 on node gpu-7: container train exited with code 1 (Error)';
    expect(await failed(all)).not.toMatch(/^ {2}where/m);
    expect(await failed('train-worker-1 exited with code 137')).toMatch(
      /^ {2}where {5}train, on gpu-7, exit code 1$/m,
    );
    expect(await failed('lost')).toMatch(/^ {2}where {5}pod train-worker-1, train, on gpu-7, exit code 1$/m);
  });

  test('shows all causes of waiting', async () => {
    const also = [{ reason: 'ContainersNotReady', message: 'the image cannot be pulled' } as const];
    const cause = { reason: 'Unschedulable', message: '0/3 nodes', also } as const;
    expect(await textOf({ cause })).toMatch(/^ {2}also {6}ContainersNotReady: the image cannot be pulled$/m);
  });

  test('shows until when it is held', async () => {
    const cause = { reason: 'HeldForDebugging', message: 'held until 2026-07-01T13:00:00Z' } as const;
    const text = await textOf({ phase: 'Restarting', state: 'Restarting.Holding', cause });
    expect(text).toMatch(/state {5}Restarting\.Holding\n[\s\S]*held until 2026-07-01T13:00:00Z/);
  });

  test('shows who submitted it, and why', async () => {
    expect(await textOf({ submittedBy: 'ana@laptop', why: 'a first try' })).toMatch(
      /^ {2}submitted by ana@laptop: a first try$/m,
    );
    expect(await textOf({ submittedBy: 'ana@laptop' })).toMatch(/^ {2}submitted by ana@laptop$/m);
    expect(await textOf({ why: 'a first try' })).toMatch(/^ {2}submitted by unknown: a first try$/m);
  });

  test('leaves out what it does not have', async () => {
    expect(await textOf({})).not.toMatch(/progress|budget|avoids|submitted|FAILED POD/);
  });
});

describe('the text of its failed pods', () => {
  test('has a line for each pod with its evidence', async () => {
    const evidence = [
      aFailure(3, { reason: 'Error', message: 'ValueError: bad batch\n  at step 7' }),
      aFailure(1, { exitCode: undefined, signal: 9, reason: 'OOMKilled', incomplete: 'the log is gone' }),
    ];
    const text = await textOf({ evidence });
    expect(text).toMatch(
      /train-worker-3 +1 +2026-07-01T12:00:00Z +gpu-3 +pytorch, exit code 1, Error: ValueError: bad batch\n/,
    );
    expect(text).toMatch(
      /train-worker-1 +1 +2026-07-01T12:00:00Z +gpu-1 +pytorch, signal 9, OOMKilled \(incomplete: the log is gone\)\n/,
    );
    expect(text).toMatch(/Logs and events: signalbox evidence train -n ml$/);
  });

  test('has one line for a pod that failed again, with its latest failure', async () => {
    const text = await textOf({
      evidence: [aFailure(3, { attempt: 2, uid: 'b', exitCode: 137, reason: 'Error' }), aFailure(3)],
    });
    expect(text.match(/train-worker-3/g)).toHaveLength(1);
    expect(text).toMatch(/train-worker-3 +2 .*exit code 137 \(SIGKILL\), Error \(failed 2 times\)\n/);
  });

  test('shows the latest five, and where the others are', async () => {
    const text = await textOf({ evidence: [9, 8, 7, 6, 5, 4, 3].map((index) => aFailure(index)) });
    expect(text.match(/train-worker-\d/g)).toEqual([9, 8, 7, 6, 5].map((index) => `train-worker-${index}`));
    expect(text).toContain('2 earlier, logs and events: signalbox evidence train -n ml');
  });

  test('a job with a custom workflow id is named by it', async () => {
    const text = await textOf({ evidence: [aFailure(1)] }, 'nightly');
    expect(text).toContain('signalbox evidence --workflow-id nightly');
  });
});

test('restarts are shown with their limit', async () => {
  expect(await textOf({ restarts: 2, restartsAllowed: 200 })).toMatch(/attempt {3}2, 2 of 200 restarts$/m);
  expect(await textOf({ restarts: 3, restartsAllowed: 2 })).toMatch(
    /attempt {3}2, 3 restarts, more than the 2 allowed$/m,
  );
  expect(await textOf({ restarts: 1, restartsAllowed: 0 })).toMatch(
    /attempt {3}2, 1 restart, more than the 0 allowed$/m,
  );
  expect(await textOf({ restarts: 2 })).toMatch(/attempt {3}2, 2 restarts$/m);
});

describe('the counts of replicas', () => {
  test('include succeeded ones only if there are any', async () => {
    const replicaStatuses = { Master: { succeeded: 1 }, Worker: { succeeded: 2 } };
    const wanted = { Master: 1, Worker: 2 };
    const text = await textOf({ phase: 'Completed', wanted, replicaStatuses, terminated: { Worker: 1 } });
    expect(text).toMatch(
      /ROLE +WANTED +ACTIVE +SUCCEEDED +FAILED +TERMINATED\n +Master +1 +0 +1 +0 +0\n +Worker +2 +0 +1 +0 +1$/,
    );
  });

  test('are shown together with the wanted number', async () => {
    const text = await textOf({ wanted: { Worker: 3 }, replicaStatuses: { Worker: { active: 2 } } });
    expect(text).toMatch(/ROLE +WANTED +ACTIVE +SUCCEEDED +FAILED\n +Worker +3 +2 +0 +0$/);
  });

  test('have the names of Kubeflow', async () => {
    const text = await textOf({
      replicaStatuses: { Master: { active: 1 }, Worker: { active: 2, failed: 1 } },
    });
    expect(text).toMatch(/ROLE +ACTIVE +SUCCEEDED +FAILED\n +Master +1 +0 +0\n +Worker +2 +0 +1$/);
  });

  test('have the names of paddle-operator', async () => {
    const replicaStatuses = { worker: { pending: 1, starting: 2, running: 3 } };
    const replicaCounts = ['pending', 'starting', 'running', 'succeeded', 'failed'] as const;
    const text = await textOf({ replicaCounts, replicaStatuses });
    expect(text).toMatch(/ROLE +PENDING +STARTING +RUNNING +SUCCEEDED +FAILED\n +worker +1 +2 +3 +0 +0$/);
  });
});

describe('the wide list', () => {
  const job: JobSummary = {
    ...{ workflowId: 'job/ml/train', runId: 'run-1', kind: 'PyTorchJob', name: 'train', namespace: 'ml' },
    ...{ phase: 'Running' as const, attempt: 1, startTime: '2026-07-01T12:00:00Z' },
    ...{ submittedBy: 'ana@laptop', why: `with\nthe new data ${'and more '.repeat(20)}` },
  };

  test('shows who submitted a job, and the beginning of the reason', async () => {
    const wide = await jobTable([job], { isWide: true, hasHeadings: true });
    expect(wide).toMatch(/RUN +SUBMITTED BY +SUBMITTED +WORKFLOW ID +WHY\n/);
    expect(wide).toMatch(/ana@laptop .* job\/ml\/train +with the new data .*…$/);
    expect(await jobTable([job], { isWide: false, hasHeadings: true })).not.toContain('WHY');
  });

  test('distinguishes jobs of one name by a run prefix as short as possible', async () => {
    const runs = ['5f0c1a2b-0000-4000-8000-000000000001', '5f0c1a2b-0000-4100-8000-000000000002'];
    const table = await jobTable(
      runs.map((runId) => ({ ...job, runId })),
      { isWide: true, hasHeadings: false },
    );
    expect(table.match(/5f0c1a2b\S*/g)).toEqual(['5f0c1a2b-0000-40', '5f0c1a2b-0000-41']);
  });
});
