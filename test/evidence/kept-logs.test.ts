import { expect, it } from '@jest/globals';
import type { ContainerStatus } from '../../contracts/kubernetes.ts';
import { runsWithLog } from '../../evidence/kept-logs.ts';

const ended = { exitCode: 1, reason: 'Error' };
const unstarted = { exitCode: 128, reason: 'StartError', message: 'exec: "python4": not found' };

it.each<[string, Partial<ContainerStatus>, ReturnType<typeof runsWithLog>]>([
  ['that runs', { state: { running: {} } }, { present: true, previous: false }],
  ['that has ended', { state: { terminated: ended } }, { present: true, previous: false }],
  ['that never started', { state: { terminated: unstarted } }, { present: false, previous: false }],
  [
    'that was restarted in place',
    { state: { waiting: {} }, lastState: { terminated: ended }, restartCount: 1 },
    { present: false, previous: true },
  ],
  [
    'that never started, again and again',
    { state: { waiting: {} }, lastState: { terminated: unstarted }, restartCount: 1 },
    { present: false, previous: false },
  ],
])('the runs with a log of a container %s', (_, status, runs) => {
  expect(runsWithLog({ name: 'pytorch', ...status })).toEqual(runs);
});
