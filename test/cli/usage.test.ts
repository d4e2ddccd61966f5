import { describe, expect, test } from '@jest/globals';
import { EXIT_CODES, exitOfError } from '../../cli/shell/exit-codes.ts';
import { NameTakenError, NoLogError } from '../../client/errors/errors.ts';
import { freePort } from '../../worker/free-port.ts';
import { casePath } from '../cases/case-path.ts';
import { commandLine } from './in-process.ts';

const temporalAway = async () => ({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` });
const job = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'a' }, spec: {} };

describe('help', () => {
  test('names every command and every exit code', async () => {
    const { code, stdout } = await commandLine(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'submit',
      'validate',
      'render',
      'get',
      'list',
      'logs',
      'suspend',
      'resume',
      'scale',
      'retry-now',
      'extend-deadline',
      'hold',
      'release',
      'amend',
      'stop',
      'history',
      'up',
      'worker',
      'watcher',
      'sandbox',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    }
    for (const { code: each, meaning } of Object.values(EXIT_CODES)) {
      expect(stdout).toContain(`  ${String(each).padEnd(4)}${meaning}`);
    }
  });
});

test('the help of a command has its own options, and says where those of all are', async () => {
  const { stdout } = await commandLine(['get', '--help']);
  expect(stdout).toContain('--watch');
  expect(stdout).not.toMatch(/^ +--temporal-namespace/m);
  expect(stdout).toMatch(/^Options of all commands \(.*\): signalbox --help$/m);
  const whole = (await commandLine(['--help'])).stdout;
  const groups = [...whole.matchAll(/^([A-Z][^:\n]*):$/gm)].map(([, title]) => title);
  expect(groups).toEqual([
    'Options',
    ...['Start jobs', 'Look at jobs', 'Change jobs', 'Queues', 'Notifications', 'The record'],
    ...['Run signalbox', 'Commands', 'Exit codes'],
  ]);
});

describe('with -o json an error is JSON, in one line, with the same exit code', () => {
  test.each([
    [['get', 'x', '--colour', '-o', 'json'], { code: 'Usage', message: "unknown option '--colour'" }],
    [['get', '-ojson'], { code: 'Usage', message: expect.stringContaining('No job given.') }],
    [
      ['history', 'x', '--run', 'y', '--output=json'],
      { code: 'Usage', remedy: 'Instead: NAME@RUN. All options: signalbox history --help' },
    ],
  ])('%j', async (args, error) => {
    const { code, stderr, stdout } = await commandLine(args);
    expect(JSON.parse(stderr)).toMatchObject({ error });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('faults of a manifest are listed by path', async () => {
    const { code, stderr } = await commandLine(['submit', '-', '-o', 'json'], {
      stdin: JSON.stringify(job),
      env: await temporalAway(),
    });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'InvalidManifest', faults: [{ path: 'spec.pytorchReplicaSpecs' }] },
    });
    expect(code).toBe(4);
  });

  test('a server that is away has a remedy', async () => {
    const { code, stderr } = await commandLine(['list', '-o', 'json'], { env: await temporalAway() });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'ServerAway', remedy: expect.any(String) } });
    expect(code).toBe(12);
  });

  test('text stays text without it, and behind --', async () => {
    for (const args of [['get'], ['get', '-o', 'yaml'], ['scale', '--', 'a', '-o', 'json']])
      expect((await commandLine(args)).stderr).toMatch(/^error: /);
  });
});

describe('a mistake on the command line', () => {
  test.each([
    ['an unknown command', ['sumbit'], 'Did you mean submit?'],
    ['a word of another tool', ['delete', 'x', '--force'], 'Did you mean signalbox stop NAME?'],
    ['a missing file name', ['submit'], "missing required argument 'file'"],
    ['a job without a name', ['get'], 'No job given. Expected its NAME, or --workflow-id.'],
    [
      'a stop of no job',
      ['stop'],
      'No job given. Expected its NAME, --workflow-id, --all, -l, --phase or --kind.',
    ],
    [
      'a job and all jobs',
      ['stop', 'a', '--all'],
      'Expected names of jobs, or --all, -l, --phase or --kind, got both.',
    ],
    [
      'a job and all namespaces',
      ['stop', '-A', 'a'],
      'Expected names of jobs, or --all, -l, --phase or --kind, got both.',
    ],
    ['a kind of no training job', ['stop', '--kind', 'CronJob'], '--kind: expected one of PyTorchJob'],
    [
      'a job with two names',
      ['get', 'a', '--workflow-id', 'b'],
      'Expected a NAME or --workflow-id, got both a and b.',
    ],
    ['a time in words', ['list', '--since', 'yesterday'], 'Expected a time like 2026-11-23T08:00:00Z'],
    ['a label without a value', ['list', '-l', 'team'], 'Expected KEY=VALUE, e.g. team=nlp, got "team"'],
    ['an unknown reason', ['list', '--reason', 'Bored'], 'Expected one of'],
    [
      'a number of processes in words',
      ['worker', '--processes', 'many'],
      '--processes: expected auto, or an integer from 1 to 256, got "many"',
    ],
    ['a limit that is no number', ['list', '--limit', 'many'], 'Expected a whole number'],
    ['an unknown phase', ['list', '--phase', 'Lost'], 'Expected one of Pending'],
    ['an unknown phase of several', ['list', '--phase', 'failed,lost'], 'Expected one of Pending'],
    ['a file that is not there', ['submit', '/no/such.yaml'], 'error: /no/such.yaml: no such file.'],
    [
      'a misspelt file',
      ['submit', 'examples/pytorch/ddp-node/jbo.yaml'],
      'no such file; did you mean examples/pytorch/ddp-node/job.yaml?',
    ],
    ['--wait with --follow', ['submit', '-', '--wait', '--follow'], 'cannot be used with'],
    [
      'a key with --rerun',
      ['submit', casePath('key-with-rerun/keyed.yaml'), '--key', 'retry-1', '--rerun'],
      '--rerun cannot be used with --key: a key that was used finds its run again.\nTo run the job again, submit it with another key.',
    ],
    [
      'an option of others',
      ['amend', 'x', '--policy', 'p.yaml'],
      'Instead: -f FILE or --set PATH=VALUE. All options: signalbox amend --help',
    ],
    [
      'the name of a job',
      ['submit', 'x', '--name', 'y'],
      'Instead: metadata.name in the manifest. All options',
    ],
    ['a run', ['history', 'x', '--run', 'y'], 'Instead: NAME@RUN. All options: signalbox history --help'],
    [
      'a schedule with its name first',
      ['schedule', 'create', 'nightly', 'job.yaml'],
      'Instead: schedule create FILE --name NAME. All options: signalbox schedule create --help',
    ],
    ['an option that nobody knows', ['logs', 'x', '--colour'], 'All options: signalbox logs --help'],
    ['a misspelt option', ['logs', 'x', '--folow'], 'Did you mean --follow?'],
    ['one argument too many', ['get', 'x', 'y', 'z', '--nothing'], 'All options: signalbox get --help'],
    ['a role without a number', ['scale', 'x', 'worker'], 'Expected ROLE=REPLICAS with a whole number'],
    ['a role with a negative number', ['scale', 'x', 'worker=-2'], 'e.g. worker=8, got "worker=-2"'],
    ['a scale without a size', ['scale', 'x'], 'e.g. worker=8, got nothing'],
    ['a scale without a job', ['scale', 'worker=8'], 'No job given. Expected its NAME before worker=8'],
    ['a deadline without a time', ['extend-deadline', 'x'], "required option '--by <time>' not specified"],
    [
      'a negative time',
      ['extend-deadline', 'x', '--by', '-5m'],
      'Expected a duration like 90s, 15m or 1h30m, got "-5m"',
    ],
    ['a time of nothing', ['extend-deadline', 'x', '--by', '0m'], 'Expected a duration > 0'],
    [
      'a time of an unknown unit',
      ['hold', 'x', '--for', '2w'],
      'Expected a duration like 90s, 15m or 1h30m, got "2w"',
    ],
    ['a change of nothing', ['amend', 'x'], 'No change given. Expected -f FILE or --set PATH=VALUE'],
    ['a change from two places', ['amend', 'x', '-f', '-', '--set', 'a=1'], 'cannot be used with'],
    ['a change without a value', ['amend', 'x', '--set', 'nonsense'], 'expected PATH=VALUE'],
    ['a change without a name', ['amend', 'x', '--set', 'a..b=1'], 'expected names separated by dots'],
    ['a value that is no YAML', ['amend', 'x', '--set', 'a=[1'], '--set a=[1: expected YAML or JSON'],
    ['a policy that is not there', ['amend', 'x', '-f', '/no/such.yaml'], '/no/such.yaml: no such file.'],
  ])(
    '%s is refused with a message',
    async (_what, args, sentence) => {
      const { code, stderr } = await commandLine(args, { env: await temporalAway() });
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(2);
    },
    30_000,
  );

  test.each([
    ['a list', '[1]', 'standard input: expected a part of a policy, got [1].'],
    ['two documents', 'a: 1\n---\nb: 2', 'standard input: expected one document, got 2.'],
  ])('%s as a change of a policy', async (_what, stdin, sentence) => {
    const { code, stderr } = await commandLine(['amend', 'x', '-f', '-'], { stdin });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    ['nothing', '', 'standard input: expected a document, got none.'],
    ['what is not YAML', 'a: [', 'standard input:1:5: expected YAML or JSON, got'],
  ])('%s on standard input', async (_what, stdin, sentence) => {
    const { code, stderr } = await commandLine(['submit', '-'], { stdin });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

test('an unavailable server is named, with the source of its address', async () => {
  const env = await temporalAway();
  const { code, stderr } = await commandLine(['list'], { env });
  expect(stderr).toContain(`error: Temporal does not answer at ${env.TEMPORAL_ADDRESS}.`);
  expect(code).toBe(12);
});

test('the stack trace is printed on request', async () => {
  const { stderr } = await commandLine(['submit', '-', '--debug'], { stdin: '' });
  expect(stderr).toContain('ManifestFileError');
});

describe('config', () => {
  test('shows each setting with its source, and no secret', async () => {
    const env = { TEMPORAL_API_KEY: 'secret', SIGNALBOX_NAMESPACE: 'ml' };
    const { stdout } = await commandLine(['config', '-o', 'json', '--task-queue', 'q'], { env });
    const settings = JSON.parse(stdout) as { name: string; value: unknown; origin: string }[];
    const of = (wanted: string) => settings.find(({ name }) => name === wanted);
    expect(of('taskQueue')).toMatchObject({ value: 'q', origin: '--task-queue' });
    expect(of('namespace')).toMatchObject({ value: 'ml', origin: 'SIGNALBOX_NAMESPACE' });
    expect(of('temporalApiKey')).toMatchObject({ value: '***', origin: 'TEMPORAL_API_KEY' });
    expect(stdout).not.toContain('secret');
  });

  test('prints YAML on request', async () => {
    const { stdout } = await commandLine(['version', '-o', 'yaml']);
    expect(stdout).toMatch(/^version: \d+\.\d+\.\d+\nnode: /);
  });
});

test.each([
  [new NoLogError('none'), 3],
  [new NameTakenError({ workflowId: 'a', phase: 'Running', since: new Date(0), remedy: '' }), 5],
  [new Error('what?'), 1],
  ['no error at all', 1],
])('%s ends with its exit code', (error, code) => {
  expect(EXIT_CODES[exitOfError(error)].code).toBe(code);
});

test('a manifest without roles is refused before any request to a server', async () => {
  const { code, stderr } = await commandLine(['submit', '-', '-n', 'ml'], {
    stdin: JSON.stringify(job),
    env: await temporalAway(),
  });
  expect(stderr).toContain('spec.pytorchReplicaSpecs');
  expect(code).toBe(4);
});
