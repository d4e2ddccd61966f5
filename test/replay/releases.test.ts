import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import {
  historiesIn,
  keepRelease,
  keepReplaySet,
  type ReplaySet,
  replaySetsIn,
} from '../../scripts/release/replay-set.ts';
import { findBundle } from '../../worker/bundle.ts';
import { faultsBySchema, newValidator, SCHEMAS } from '../frameworks/schemas/validators.ts';
import { rollbackFaults, upgradeFaults, wireFaults } from './release-checks.ts';

/** The promise of docs/upgrades.md, for each release of which test/replay/releases has a set. */

const HERE = import.meta.dirname;
/** Histories of other workflows than jobs. */
const OTHERS = ['orphan', 'expired', 'parameter-sweep', 'archiver'];
const QUIET = new DefaultLogger('ERROR');
const histories = historiesIn(join(HERE, 'histories'));
/** Of each kind of workflow, and of each way by which a job comes to another attempt or run: replay.test.ts replays all. */
const few = Object.fromEntries(
  [...OTHERS, 'completed', 'restarted', 'evicted', 'suspended', 'last-run'].map((name) => [
    name,
    histories[name]!,
  ]),
);
const oneWay = JSON.parse(readFileSync(join(HERE, 'one-way.json'), 'utf8')) as Record<string, string>;

const todaysWorkflows = () => findBundle(undefined, QUIET);

/** Those of changed-workflow.ts. */
async function changedWorkflows(): Promise<string> {
  const workflowsPath = join(HERE, 'changed-workflow.ts');
  const options = { workflowsPath, workflowInterceptorModules: [workflowsPath], logger: QUIET };
  return (await bundleWorkflowCode(options)).code;
}

it('workflows of today run the jobs of every release, and the last release runs those of today', async () => {
  const sets = replaySetsIn(join(HERE, 'releases'));
  const faults: string[] = [];
  for (const set of sets) {
    faults.push(...(await upgradeFaults(set, await todaysWorkflows())));
    faults.push(...(await rollbackFaults(set, { histories, oneWay })));
  }
  expect(faults).toEqual([]);
});

it('the schemas of today take what processes of every release sent', () => {
  const sets = replaySetsIn(join(HERE, 'releases'));
  expect(sets.flatMap((set) => wireFaults(set, faultsBySchema))).toEqual([]);
});

describe('a release', () => {
  let folder: string;
  let reordered: string;
  let kept: ReplaySet;
  /** With a few of its histories. */
  let released: ReplaySet;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-releases-'));
    reordered = await changedWorkflows();
    const today = await todaysWorkflows();
    const workflows = 'codePath' in today ? readFileSync(today.codePath, 'utf8') : today.code;
    keepReplaySet(folder, { version: '0.1.0', histories, workflows });
    [kept] = replaySetsIn(folder) as [ReplaySet];
    released = { ...kept, histories: few };
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is kept as it was recorded, in not much more than half a megabyte', () => {
    expect(kept).toMatchObject({ version: '0.1.0', histories });
    const bytes = readdirSync(join(folder, '0.1.0')).reduce(
      (sum, file) => sum + readFileSync(join(folder, '0.1.0', file)).length,
      0,
    );
    expect(bytes).toBeLessThan(550_000);
  });

  it('is replayed by its own workflows and by those of today', async () => {
    expect(await upgradeFaults(released, await todaysWorkflows())).toEqual([]);
    expect(await rollbackFaults(released, { histories: few, oneWay: {} })).toEqual([]);
  });

  it('shows a change of commands that its jobs do not survive: which, and what to do', async () => {
    const faults = await upgradeFaults(released, { code: reordered });
    const jobs = Object.keys(few).filter((name) => !OTHERS.includes(name));
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(
      expect.arrayContaining(jobs.map((name) => `0.1.0/${name}`)),
    );
    expect(faults.find((fault) => fault.startsWith('0.1.0/completed:'))).toMatch(
      /would stand still after an upgrade \(\[TMPRL1100\] Nondeterminism error: Timer [^{]*\)\. Keep the commands of 0\.1\.0 for such jobs, behind patched\(\): CONTRIBUTING\.md/,
    );
  });

  it('takes the same change if it is made for new jobs only', async () => {
    const code = reordered.replace('WITHOUT_PATCH', 'PATCHED');
    expect(code).not.toBe(reordered);
    expect(await upgradeFaults(released, { code })).toEqual([]);
  });

  it('shows jobs of today that it could not take back, unless that is known', async () => {
    const { completed, orphan } = histories as Record<'completed' | 'orphan', (typeof histories)[string]>;
    const other: ReplaySet = { version: '0.1.0', histories: { orphan }, workflows: reordered };
    const today = { completed, orphan };
    const unknown = await rollbackFaults(other, { histories: today, oneWay: {} });
    expect(unknown).toEqual([
      expect.stringMatching(/^completed: .* after a rollback to 0\.1\.0 \(.*one-way/),
    ]);
    const known = { completed: 'it waits first' };
    expect(await rollbackFaults(other, { histories: today, oneWay: known })).toEqual([]);
    const stale = { ...known, orphan: 'it waits, too', gone: 'it was recorded once' };
    expect(await rollbackFaults(other, { histories: today, oneWay: stale })).toEqual([
      expect.stringMatching(/orphan replays with the workflows of 0\.1\.0: remove it/),
      expect.stringMatching(/gone is no recorded history: remove it/),
    ]);
  });

  it('shows a change of a wire format: what no longer is taken, and what to do', () => {
    expect(wireFaults(released, faultsBySchema)).toEqual([]);
    const { digest } = SCHEMAS as Record<'digest', JsonSchema>;
    const properties = { ...(digest.properties as object), restarts: { type: 'string' } };
    const validate = newValidator().compile({ ...digest, properties });
    const changed = (schema: string, value: unknown) =>
      schema !== 'digest' || validate(value)
        ? []
        : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
    expect(wireFaults(released, changed)).toContain(
      '0.1.0/completed: schemas/digest.json no longer takes what 0.1.0 sent (/restarts must be string). Formats only get new optional fields: CONTRIBUTING.md, "Changes of workflow code".',
    );
  });

  it('says if its workflows no longer run with the present SDK', async () => {
    const [fault, ...others] = await rollbackFaults(
      { ...released, workflows: reordered },
      {
        histories: few,
        oneWay: {},
      },
    );
    expect(fault).toMatch(/^0\.1\.0: its workflows no longer replay its own history .*signalbox replay/);
    expect(others).toEqual([]);
  });
});

describe('the sets of releases', () => {
  let folder: string;
  const keep = (version: string) => keepReplaySet(folder, { version, histories: {}, workflows: version });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-releases-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('are those of the last three minor versions, and the workflows are of the last release', () => {
    for (const version of ['0.7.0', '0.8.0', '0.9.0', '0.9.1', '0.10.0', '0.10.1']) keep(version);
    expect(replaySetsIn(folder)).toEqual([
      { version: '0.8.0', histories: {} },
      { version: '0.9.0', histories: {} },
      { version: '0.9.1', histories: {} },
      { version: '0.10.0', histories: {} },
      { version: '0.10.1', histories: {}, workflows: '0.10.1' },
    ]);
    keep('1.0.0');
    expect(replaySetsIn(folder).map(({ version }) => version)).toEqual([
      '0.9.0',
      '0.9.1',
      '0.10.0',
      '0.10.1',
      '1.0.0',
    ]);
  });

  it('have the same bytes for the same release', () => {
    const bytes = () => readFileSync(join(folder, '1.0.0/histories.json.br'));
    const before = bytes();
    keep('1.0.0');
    expect(bytes()).toEqual(before);
  });
});

describe('what a release keeps', () => {
  let replay: string;
  const release = (version: string) => keepRelease(replay, { version, workflows: `of ${version}` });
  const kept = () => replaySetsIn(join(replay, 'releases'));

  beforeAll(() => {
    replay = mkdtempSync(join(tmpdir(), 'signalbox-replay-'));
    mkdirSync(join(replay, 'histories'));
    cpSync(join(HERE, 'histories/completed.json'), join(replay, 'histories/completed.json'));
    writeFileSync(join(replay, 'one-way.json'), '{}');
  });

  afterAll(() => rmSync(replay, { recursive: true }));

  it('is the histories of today and its workflows', () => {
    release('0.1.0');
    const { completed } = histories;
    expect(kept()).toEqual([{ version: '0.1.0', histories: { completed }, workflows: 'of 0.1.0' }]);
  });

  it('allows a minor version that cannot be rolled back under all jobs, but no such patch', () => {
    writeFileSync(join(replay, 'one-way.json'), '{"completed": "it waits first"}');
    expect(() => release('0.1.1')).toThrow(
      /0\.1\.1 could not be rolled back: .*one-way.json names completed/,
    );
    expect(kept()).toHaveLength(1);
    release('0.2.0');
    expect(kept().map(({ version }) => version)).toEqual(['0.1.0', '0.2.0']);
    expect(readFileSync(join(replay, 'one-way.json'), 'utf8')).toBe('{}\n');
  });
});
