import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { faultsBySchema } from '../frameworks/schemas/validators.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * Steers a job with the commands of docs/wire-contract.md, as they stand there, run by a shell with Temporal's own
 * command line. Only the namespace is another one.
 */

const run = promisify(execFile);
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'wire-contract.md');

let stage: Stage;
let folder: string;
let commands: readonly string[];

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'signalbox-wire-'));
  await symlink((await ensurePrograms({ names: ['temporal'] })).temporal, join(folder, 'temporal'));
  const manifest = simulatedJob({ name: 'train', namespace: stage.namespace });
  await writeFile(join(folder, 'train.json'), JSON.stringify(manifest));
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? [];
  commands = block
    .replaceAll('\\\n', ' ')
    .replaceAll('ml/train', `${stage.namespace}/train`)
    .trim()
    .split('\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await stage.close();
});

/** Runs the command of the page that has this in it, with other words in place of some if `change` says so. */
async function command(part: string, change: (command: string) => string = String): Promise<string> {
  const found = commands.filter((line) => line.includes(part));
  expect(found).toHaveLength(1);
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    HOME: folder,
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
  };
  return (await run('bash', ['-c', change(found[0]!)], { cwd: folder, env })).stdout;
}

/** Temporal's command line prints empty lists as null. */
const parse = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (value === null ? [] : value));

const asJson = (line: string) => `${line} -o json`;

async function status(): Promise<JobStatus> {
  const answer = parse(await command('--type status', asJson)) as { queryResult: JobStatus[] };
  return answer.queryResult[0]!;
}

const untilStatus = (what: string, isReached: (status: JobStatus) => boolean) =>
  eventually(what, async () => {
    const current = await status();
    return isReached(current) ? current : undefined;
  });

/** Returns what a command that must fail printed. */
async function failureOf(
  done: Promise<unknown>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    await done;
  } catch (error) {
    return error as { readonly stdout: string; readonly stderr: string };
  }
  throw new Error('expected the command to fail');
}

/** Returns what the command line says of an update that is refused. */
const refusal = async (part: string, change?: (command: string) => string) =>
  (await failureOf(command(part, change))).stderr;

describe('with nothing but docs/wire-contract.md and the command line of Temporal', () => {
  it('a job is started, and its status is valid by its schema', async () => {
    await command('workflow start');
    const running = await untilStatus('the job runs', ({ phase }) => phase === 'Running');
    expect(running).toMatchObject({ kind: 'PyTorchJob', name: 'train', namespace: stage.namespace });
    expect(faultsBySchema('status', running)).toEqual([]);
    const described = await run(join(folder, 'temporal'), [
      ...['workflow', 'describe', '--workflow-id', `job/${stage.namespace}/train`],
      ...['--address', stage.sandbox.temporalAddress, '-o', 'json'],
    ]);
    expect(described.stdout).toContain('submittedBy');
  });

  it('a second start is refused while the job is live', async () => {
    expect((await failureOf(command('workflow start'))).stderr).toContain('already running');
  });

  it('a request that makes no sense is refused with a message, and the type that the page names', async () => {
    expect(await refusal('--name resume')).toMatch(/the job is not suspended: Running.*type: Refused/s);
    const tooFew = await refusal('--name scale', (line) => line.replace('"replicas": 1', '"replicas": -1'));
    expect(tooFew).toMatch(/replicas: expected an integer >= 0, got -1.*type: Refused/s);
  });

  it('a job is suspended, scaled and resumed', async () => {
    await command('--name suspend');
    const suspended = await untilStatus('the job is suspended', ({ state }) => state === 'Suspended.Resting');
    expect(suspended.cause).toMatchObject({ message: 'suspended by ana: the nodes are needed' });
    expect(await command('--name scale')).toContain('Suspended');
    await command('--name resume');
    const again = await untilStatus('the job runs again', ({ phase }) => phase === 'Running');
    expect(again.replicaStatuses.Worker).toMatchObject({ active: 1 });
    expect(again.attempt).toBe(2);
  });

  it('a job is stopped, and its outcome is valid by its schema', async () => {
    await command('--name stop');
    const { result } = parse(await command('workflow result')) as { result: JobStatus };
    expect(result).toMatchObject({ phase: 'Stopped', cause: { message: 'stopped by ana: enough seen' } });
    expect(faultsBySchema('outcome', result)).toEqual([]);
    expect(await refusal('--name stop')).toMatch(/already completed|not found/i);
  });

  it('a manifest with faults fails at once, with the type and the faults that the page names', async () => {
    const change = (line: string) =>
      line.replaceAll('/train', '/faulty').replace(/--input-file \S+/, `--input '${JSON.stringify(FAULTY)}'`);
    await command('workflow start', change);
    const { stdout } = await failureOf(command('workflow result', change));
    const { failure } = (parse(stdout) as Failed).closeEvent.workflowExecutionFailedEventAttributes;
    const { type, details } = failure.applicationFailureInfo;
    expect(type).toBe('InvalidManifest');
    const [faults, outcome] = details;
    expect(faults).toEqual([{ path: 'spec.pytorchReplicaSpecs', expected: 'an object', got: 'nothing' }]);
    expect(faults.flatMap((fault) => faultsBySchema('fault', fault))).toEqual([]);
    expect(faultsBySchema('outcome', outcome)).toEqual([]);
  });
});

const FAULTY = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'faulty' }, spec: {} };

/** What the command line prints of a workflow that failed. */
interface Failed {
  readonly closeEvent: {
    readonly workflowExecutionFailedEventAttributes: {
      readonly failure: {
        readonly applicationFailureInfo: {
          readonly type: string;
          readonly details: readonly [readonly unknown[], unknown];
        };
      };
    };
  };
}
