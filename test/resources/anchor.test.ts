import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Policy } from '../../contracts/types.ts';
import { milestonesOf, renderAnchor, watchRulesOf } from '../../resources/anchor.ts';
import { parseWatchRules } from '../../watcher/progress/watch-rules.ts';
import { aContainer, aManifest, aRole } from '../frameworks/manifests.ts';

const identity = {
  workflowId: 'job/ml/resnet',
  firstRunId: 'run-1',
  installation: 'namespace-1',
  clusterId: 'cluster-1',
};

it('the anchor names the workflow and the installation of the job, and has the job', () => {
  const job = aManifest().job();
  const { metadata, data } = renderAnchor(job, identity, 'native');
  expect(metadata).toEqual({
    name: 'resnet.signalbox',
    namespace: 'ml',
    labels: {
      'signalbox.dev/anchor': 'true',
      'signalbox.dev/installation': 'namespace-1',
      'signalbox.dev/job': 'resnet',
    },
    annotations: {
      'signalbox.dev/workflow-id': 'job/ml/resnet',
      'signalbox.dev/first-run-id': 'run-1',
      'signalbox.dev/cluster-id': 'cluster-1',
      'signalbox.dev/kind': 'kubeflow.org/v1 PyTorchJob',
      'signalbox.dev/phase': 'Pending',
      'signalbox.dev/record': '1',
      'signalbox.dev/gang': 'native',
      'signalbox.dev/main-container': 'master=pytorch,worker=pytorch',
      'signalbox.dev/main-pod': 'resnet-master-0',
      'signalbox.dev/milestones': '3',
      'signalbox.dev/deciding-pod': 'resnet-master-0',
      'signalbox.dev/services': 'master,worker',
    },
  });
  expect(JSON.parse(data!.job!)).toEqual(JSON.parse(JSON.stringify(job)));
});

it('the anchor names the main container of each role', () => {
  const job = aManifest()
    .role('Master', '', aRole({}, aContainer({ name: 'train' })))
    .job();
  expect(renderAnchor(job, identity, 'native').metadata.annotations?.['signalbox.dev/main-container']).toBe(
    'master=train,worker=pytorch',
  );
});

it.each([
  ['all of its pods', {}, [3]],
  ['so many that it can run, and all', { enough: 1 }, [2, 3]],
  ['all but its launcher, and all', { after: ['Master'] }, [1, 3]],
])('the anchor says at how many active pods a decision is due: at %s', (_, worker, milestones) => {
  const job = aManifest().job();
  const roles = job.plan.roles.map((role) => (role.name === 'Worker' ? { ...role, ...worker } : role));
  expect(milestonesOf({ ...job, plan: { ...job.plan, roles } })).toEqual(milestones);
});

describe('the watch rules', () => {
  const watched = (policy: Partial<Policy>) => {
    const job = aManifest().job();
    return { ...job, plan: { ...job.plan, policy: { ...DEFAULT_POLICY, ...policy } } };
  };

  it('are on the anchor', () => {
    const job = watched({
      progress: { log: 'step (\\d+)', stalledAfterMs: 30_000 },
      checkpoint: { withinMs: 60_000, acknowledgedBy: { annotation: 'example.com/saved' } },
    });
    const { annotations } = renderAnchor(job, identity, 'native').metadata;
    expect(parseWatchRules(annotations?.['signalbox.dev/watch'])).toEqual({
      rules: {
        progress: { log: 'step (\\d+)' },
        acknowledgedBy: { annotation: 'example.com/saved' },
        everyMs: 10_000,
      },
    });
  });

  it('are empty for a job whose policy needs none', () => {
    expect(watchRulesOf(aManifest().job())).toBeUndefined();
    expect(watchRulesOf(watched({ checkpoint: { withinMs: 60_000, file: '/checkpoint' } }))).toBeUndefined();
  });

  it.each([
    ['every 10 s where silence is no failure', undefined, 10_000],
    ['a third of the silence that is', 90_000, 30_000],
    ['once a second at most', 1_500, 1_000],
    ['once a minute at least', 3_600_000, 60_000],
  ])('say how often to report: %s', (_, stalledAfterMs, everyMs) => {
    expect(watchRulesOf(watched({ progress: { annotation: 'step', stalledAfterMs } }))).toMatchObject({
      everyMs,
    });
  });
});
