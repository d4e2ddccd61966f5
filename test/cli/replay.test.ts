import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandLine } from './in-process.ts';
import { archiveRecorded, HISTORIES } from './recorded-archive.ts';

/** `signalbox replay` over files and folders: no server is there. */

const recorded = readdirSync(HISTORIES);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-replay-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const replay = (...args: string[]) => commandLine(['replay', ...args]);

const inFolder = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};

describe('a folder of histories', () => {
  it('is a regression test', async () => {
    const path = inFolder('some');
    // All of them are replayed by test/replay/replay.test.ts.
    const some = recorded.filter((_, index) => index % 6 === 0);
    for (const name of some) cpSync(join(HISTORIES, name), join(path, name));
    const { code, stdout } = await replay(path);
    expect(stdout).toMatch(new RegExp(`^JOBS +RESULT\n${some.length} +replays\n$`));
    expect(code).toBe(0);
  });

  it('shows the history that no longer replays, and continues with the others', async () => {
    const path = inFolder('mixed');
    const history = JSON.parse(readFileSync(join(HISTORIES, 'completed.json'), 'utf8'));
    const events = history.events.filter(
      ({ eventType }: { eventType: string }) => !/MEMO|PROPERTIES/.test(eventType),
    );
    const renumbered = events.map((event: object, index: number) => ({
      ...event,
      eventId: String(index + 1),
    }));
    writeFileSync(join(path, 'altered.json'), JSON.stringify({ events: renumbered }));
    writeFileSync(join(path, 'cut.json'), '{"events": [');
    writeFileSync(join(path, 'empty.json.gz'), gzipSync('{"events": []}'));
    writeFileSync(join(path, 'good.json.gz'), gzipSync(readFileSync(join(HISTORIES, 'restarted.json'))));
    const { code, stdout } = await replay(path, '-o', 'json');
    expect(code).toBe(6);
    const { verdicts } = JSON.parse(stdout) as {
      verdicts: { source: string; result: string; error?: string }[];
    };
    expect(verdicts.map(({ source, result }) => [source.slice(path.length + 1), result])).toEqual([
      ['altered.json', 'broken'],
      ['cut.json', 'unreadable'],
      ['empty.json.gz', 'unreadable'],
      ['good.json.gz', 'same'],
    ]);
    expect(verdicts[1]!.error).toBe(
      `${join(path, 'cut.json')}: expected a history as JSON, got {"events": [`,
    );
  });

  it('without any readable file is an error', async () => {
    const path = join(inFolder('unreadable'), 'cut.json');
    writeFileSync(path, '{"events": [');
    const { code, stdout } = await replay(path);
    expect(code).toBe(2);
    expect(stdout).toContain(`${path}: expected a history as JSON, got {"events": [`);
  });

  it('without a history is an error of the command line', async () => {
    expect(await replay(inFolder('nothing'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got none'),
    });
    expect(await replay()).toMatchObject({ code: 2 });
  });
});

describe('an archive', () => {
  const archived = async (name: string, change?: Parameters<typeof archiveRecorded>[0]['change']) => {
    const path = inFolder(name);
    await archiveRecorded({ folder: path, history: 'restarted', change });
    return path;
  };

  it('is replayed with its ledger', async () => {
    const path = await archived('kept');
    const { code, stdout } = await replay(path, '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      summary: [{ jobs: 1, would: 'replays' }],
      verdicts: [{ workflowId: 'job/ml/train', result: 'same', ledger: { reworded: 0 } }],
    });
  });

  it('is reported where its ledger differs', async () => {
    const path = await archived('older', (entries) =>
      entries.map((entry) =>
        entry.to === 'Restarting.Replacing' ? { ...entry, to: 'Restarting.Draining' } : entry,
      ),
    );
    const { code, stdout } = await replay(path);
    expect(code).toBe(6);
    expect(stdout).toContain('decides otherwise: to');
    expect(stdout).toMatch(/archived {2}\S+ Restarting\.Draining: .*\n +now {7}\S+ Restarting\.Replacing: /);
  });
});

describe('another policy', () => {
  it('is applied to every job of a folder, with a summary and each difference', async () => {
    const path = inFolder('tuned');
    for (const name of ['restarted', 'completed', 'climbed', 'refused'])
      cpSync(join(HISTORIES, `${name}.json`), join(path, `${name}.json`));
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, 'failures:\n  classes:\n    userCode: { budget: 0 }\n');
    const { code, stdout } = await replay(path, '--policy', policy);
    expect(code).toBe(6);
    expect(stdout).toMatch(/^JOBS +THE JOB +WITH THIS POLICY\n/);
    expect(stdout).toMatch(/^1 +restarts pods +ends as Failed$/m);
    expect(stdout).toMatch(/^1 +the same$/m);
    expect(stdout).toMatch(/^1 +not known: the job was never admitted$/m);
    expect(stdout).toContain('later, if the job had come there in the same way:');
    expect(stdout).toContain(
      'After its first other decision, what would have happened to a job is not known',
    );
  });

  it('with an unknown field is refused before anything is replayed', async () => {
    const policy = join(folder, 'wrong.yaml');
    writeFileSync(policy, 'restart:\n  backof: {}\n');
    const { code, stderr } = await replay(HISTORIES, '--policy', policy);
    expect(code).toBe(2);
    expect(stderr).toContain('restart.backof: expected a known field (did you mean backOff?)');
  });
});
