import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { localJob } from './local-jobs.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { commandLine } from './ways-to-ask.ts';

/** A job that hangs is Running for all that Kubernetes knows; its log shows it. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

it('a job that hangs says its last line in `get`, `list -o wide` and `why`, with a command that makes a limit of it', async () => {
  const { client, namespace } = stage;
  const script = 'for i in 1 2 3; do echo "step=$i"; sleep 1; done; echo "entering all-reduce"; sleep 600';
  const job = await client.submit(localJob({ name: 'hang', namespace, script }));
  await untilPhase(job, 'Running');
  const silence = await eventually('it is silent', () => job.silence());
  expect(silence).toMatchObject({ pod: 'hang-master-0', line: 'entering all-reduce' });
  const signalbox = commandLine(stage);
  const last = 'the last line of hang-master-0 was: entering all-reduce';
  const got = await signalbox('get', 'hang', '-n', namespace);
  expect(got.stdout).toContain(last);
  expect((await signalbox('why', 'hang', '-n', namespace)).stdout).toContain(last);
  const listed = await signalbox('list', '-n', namespace, '-o', 'wide');
  expect(listed.stdout).toMatch(/SILENT[\s\S]*entering all-reduce/);
  const [, printed = ''] = /`signalbox (amend [^`]+)`/.exec(got.stdout.replaceAll(/\s+/g, ' ')) ?? [];
  expect(printed).toBe(`amend hang -n ${namespace} --set progress.log=.+ --set progress.stalledAfter=10m`);
  expect(await signalbox(...printed.split(' '))).toMatchObject({ code: 0 });
  const after = await eventually('the limit is in effect', async () => {
    const { remedy = '' } = (await job.silence()) ?? {};
    return remedy.includes('counts as stalled') && remedy;
  });
  expect(after).toBe('It counts as stalled without progress for 10m (progress.stalledAfter).');
  await job.stop();
  await job.wait();
});

it('`logs` of a program that has written no line says so', async () => {
  const { client, namespace } = stage;
  const job = await client.submit(localJob({ name: 'mute', namespace, script: 'exec sleep 600' }));
  await untilPhase(job, 'Running');
  const signalbox = commandLine(stage);
  const said = await signalbox('logs', 'mute', '-n', namespace);
  expect(said).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('has written no line') });
  expect((await signalbox('logs', 'mute', '-n', namespace, '--since', '1h')).stderr).toContain(
    'has written no line for 1h',
  );
  await job.stop();
  await job.wait();
});
