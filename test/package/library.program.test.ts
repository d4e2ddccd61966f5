import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { ENTRY_NAMES, exportsOf, REPORTS } from '../../scripts/package/entries.ts';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { ROOT } from '../deploy/manifests.ts';
import { someContents } from '../record/archive/some-job.ts';
import { aSigner } from '../record/log/a-log.ts';
import { createProject, type Project } from './project.ts';

/** What people type-check with: their compiler need not be the project's. */
const TYPES_OF_NODE = ['@types/node', 'undici-types'];
const OF_TEMPORAL = ['@temporalio/workflow', '@temporalio/activity', '@temporalio/common'];

let alone: Project;
let server: Awaited<ReturnType<typeof startFakeTemporal>>;
beforeAll(async () => {
  server = await startFakeTemporal();
  alone = createProject('signalbox-client', { withPackages: TYPES_OF_NODE });
});
afterAll(() => {
  server?.stop();
  alone?.remove();
});

describe('signalbox-client, installed alone,', () => {
  test.each([
    ['an ES module', 'esm.mjs', `import * as library from 'signalbox-client';`],
    ['CommonJS', 'common.cjs', `const library = require('signalbox-client');`],
  ])('is imported by %s', async (_, file, imports) => {
    alone.write(
      file,
      `${imports}\nconsole.log(Object.keys(library).filter((name) => name !== 'default').join());`,
    );
    const names = (await alone.node(file)).trim().split(',');
    expect(names).toEqual(
      expect.arrayContaining(['SignalboxClient', 'SignalboxError', 'JobNotFoundError', 'REASONS']),
    );
  });

  test('throws an error with a remedy when Temporal is unavailable', async () => {
    const settings = `{ temporal: { address: '127.0.0.1:1', namespace: 'default' } }`;
    alone.write(
      'away.mjs',
      `import { ServerAwayError, SignalboxClient } from 'signalbox-client';
       const error = await SignalboxClient.connect(${settings}, { timeout: 200 }).catch((error) => error);
       console.log(error instanceof ServerAwayError, error.code, error.message);`,
    );
    expect(await alone.node('away.mjs')).toBe('true ServerAway Temporal does not answer at 127.0.0.1:1.\n');
  });

  test('names the package that logs need', async () => {
    alone.write(
      'logs.mjs',
      `import { MissingRequirementError, SignalboxClient } from 'signalbox-client';
       const client = await SignalboxClient.connect({ temporal: { address: process.argv[2], namespace: 'default' } });
       const error = await client.createIfAbsent({}, {}).catch((error) => error);
       console.log(error instanceof MissingRequirementError, error.code, error.remedy);
       await client.close();`,
    );
    expect(await alone.node('logs.mjs', server.address)).toBe(
      'true MissingRequirement Install it: npm install @kubernetes/client-node\n',
    );
  });

  test.each([
    ['an ES module', 'archive.mjs', `import { openArchive } from 'signalbox-client';`],
    ['CommonJS', 'archive.cjs', `const { openArchive } = require('signalbox-client');`],
  ])('reads an archive in %s, without the SDK of S3', async (_, file, imports) => {
    const directory = join(alone.dir, `archive-of-${file}`);
    const store = new FileArchiveStore(directory);
    const signer = aSigner();
    await appendToLog(store, signer, [await writeArchive(store, await someContents())]);
    alone.write(
      file,
      `${imports}
       (async () => {
         const [directory, publicKey] = process.argv.slice(2);
         const archive = await openArchive(directory);
         const job = await archive.find({ namespace: 'ml', name: 'train' });
         console.log(job.outcome().phase, (await job.history()).length, (await job.histories()).length);
         console.log(await job.verify({ publicKey }));
         const error = await openArchive('s3://bucket/prefix').catch((error) => error);
         console.log(error.code, error.remedy);
       })();`,
    );
    const { verifier } = signer.keys[0]!;
    expect((await alone.node(file, directory, verifier.text)).split('\n')).toEqual([
      'Stopped 2 1',
      '{ isIntact: true, files: 6, findings: [] }',
      'MissingRequirement Install it: npm install @aws-sdk/client-s3',
      '',
    ]);
  });

  test.each([
    ['an ES module', 'manifests.mjs', `import * as manifests from 'signalbox-client/manifests';`],
    ['CommonJS', 'manifests.cjs', `const manifests = require('signalbox-client/manifests');`],
  ])('validates and renders manifests in %s, without any other package', async (_, file, imports) => {
    alone.write(
      file,
      `${imports}
       (async () => {
         const { InvalidManifestError, pytorchJob } = await import('signalbox-client');
         const manifest = pytorchJob({ name: 'train', image: 'train:1', command: ['train'], nodes: 2 });
         console.log(manifests.validateManifest(manifest, { strict: true }).faults);
         const { gang, objects } = await manifests.renderJob(manifest, { namespace: 'ml', gang: 'volcano' });
         console.log(gang, objects.map(({ kind, metadata }) => kind + ' ' + metadata.name).join());
         const wrong = { ...manifest, spec: { pytorchReplicaSpecs: { Master: { replicas: -1 } } } };
         console.log(manifests.validateManifest(wrong).faults.map(({ path }) => path).join());
         const error = await manifests.renderJob(wrong).catch((error) => error);
         console.log(error.code, error instanceof InvalidManifestError);
         console.log([manifest, { kind: 'Secret', apiVersion: 'v1' }].map(manifests.isJobManifest));
       })();`,
    );
    expect((await alone.node(file)).split('\n')).toEqual([
      '[]',
      'volcano PodGroup train,Service train-master-0,Service train-worker-0,Pod train-master-0,Pod train-worker-0',
      'spec.pytorchReplicaSpecs.Master.template',
      'InvalidManifest true',
      '[ true, false ]',
      '',
    ]);
  });

  test('recognises an error of its other module format', async () => {
    alone.write(
      'both.mjs',
      `import { createRequire } from 'node:module';
       import { NameTakenError, SignalboxError } from 'signalbox-client';
       const other = createRequire(import.meta.url)('signalbox-client');
       const error = new other.NameTakenError({ workflowId: 'w', phase: 'Running', since: new Date(), remedy: 's' });
       console.log(error instanceof NameTakenError, error instanceof SignalboxError, other.NameTakenError === NameTakenError);`,
    );
    expect(await alone.node('both.mjs')).toBe('true true false\n');
  });

  test('loads no third-party library before it connects', () => {
    const entry = readFileSync(join(alone.dir, 'node_modules/signalbox-client/dist/client.mjs'), 'utf8');
    expect(staticSizeOf(alone.dir, entry)).toBeLessThan(200_000);
  });

  test('has types for strict programs, whatever resolution they use', () => {
    alone.write('typed.mts', USE);
    alone.write('typed.cts', USE_IN_COMMON_JS);
    for (const [module, moduleResolution, file] of [
      ['node16', 'node16', 'typed.mts'],
      ['node16', 'node16', 'typed.cts'],
      ['nodenext', 'nodenext', 'typed.mts'],
      ['nodenext', 'nodenext', 'typed.cts'],
      ['esnext', 'bundler', 'typed.mts'],
    ]) {
      expect(compile(alone, [`--module`, module!, '--moduleResolution', moduleResolution!, file!])).toBe('');
    }
  });

  test('shows an error that nobody catches without pages of its code', async () => {
    alone.write(
      'uncaught.mjs',
      `import { SignalboxClient } from 'signalbox-client';
       await SignalboxClient.connect({ temporal: { address: '127.0.0.1:1', namespace: 'default' } }, { timeout: 200 });`,
    );
    const failure = await alone.node('uncaught.mjs').catch((error: { stderr: string }) => error);
    const { stderr } = failure as { stderr: string };
    expect(stderr).toContain('Temporal does not answer at 127.0.0.1:1.');
    expect(stderr.indexOf('Temporal does not answer')).toBeLessThan(1_500);
  });

  test('is small', () => {
    const size = sizeOf(join(alone.dir, 'node_modules/signalbox-client'));
    expect(size / 2 ** 20).toBeLessThan(30);
  });

  test('has the licences of what is in its bundles', () => {
    const notices = readFileSync(
      join(alone.dir, 'node_modules/signalbox-client/THIRD-PARTY-NOTICES.txt'),
      'utf8',
    );
    for (const name of ['@temporalio/client', '@grpc/grpc-js', 'zod', 'yaml']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2.0|ISC)\\)$`, 'm'));
    }
  });

  test.each([
    ['publint', ['publint/src/cli.js', 'run', '--strict']],
    ['arethetypeswrong', ['@arethetypeswrong/cli/dist/index.js', '--profile', 'node16', '--pack']],
  ])('has nothing that %s would change', (_, [program, ...args]) => {
    const folder = join(alone.dir, 'node_modules/signalbox-client');
    const checked = runTool(join(ROOT, 'node_modules', program!), [...args, folder]);
    expect(checked).toMatchObject({ code: 0 });
  });
});

describe('the parts for workflows and activities', () => {
  let project: Project;
  beforeAll(() => {
    project = createProject('signalbox-client', {
      withPackages: [...TYPES_OF_NODE, ...OF_TEMPORAL, 'ms', '@types/ms'],
    });
  });
  afterAll(() => project?.remove());

  test('share their types with the client', () => {
    project.write('typed.mts', USE_IN_TEMPORAL);
    const resolution = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--skipLibCheck'];
    expect(compile(project, [...resolution, 'typed.mts'])).toBe('');
  });

  test.each([
    ['client.md', 1],
    ['pipelines.md', 2],
  ])('are imported as docs/%s says', (page, count) => {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
    const blocks = [...text.matchAll(/```typescript\n([\s\S]*?)```/g)].map(([, block]) => block!);
    expect(blocks).toHaveLength(count);
    const files = blocks.map((block, index) => {
      expect(block).toMatch(/from 'signalbox-client/);
      project.write(`${page}-${index}.mts`, block);
      return `${page}-${index}.mts`;
    });
    const resolution = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--skipLibCheck'];
    expect(compile(project, [...resolution, ...files])).toBe('');
  });

  test('need no Node API in workflows', () => {
    const workflow = join(project.dir, 'node_modules/signalbox-client/dist/workflow.mjs');
    const imports = [...readFileSync(workflow, 'utf8').matchAll(/from"([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(imports)).toEqual(new Set(['@temporalio/common', '@temporalio/workflow']));
  });
});

describe('the public types', () => {
  test('are those of the reports in api/', () => {
    const dir = mkdtempSync(join(tmpdir(), 'signalbox-api-'));
    try {
      const written = runTool(join(ROOT, 'scripts/docs/api-reports.ts'), [dir]);
      expect(written).toMatchObject({ code: 0 });
      for (const name of ENTRY_NAMES) {
        const report = readFileSync(join(dir, `${name}.api.md`), 'utf8');
        // If you meant the change: npm run docs, and CHANGELOG.md.
        expect(report).toBe(readFileSync(join(REPORTS, `${name}.api.md`), 'utf8'));
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  test('are in the package signalbox as well', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
    expect(exports).toEqual(exportsOf('./dist/library'));
  });
});

const SETTINGS = `{ temporal: { address: 'localhost:7233', namespace: 'default' } }`;

const USE = `
import { type Fault, type Outcome, NameTakenError, openArchive, SignalboxClient } from 'signalbox-client';
import { type GangProvider, renderJob, validateManifest } from 'signalbox-client/manifests';

export async function check(manifest: unknown, gang: GangProvider): Promise<readonly Fault[]> {
  const { faults, warnings } = validateManifest(manifest, { strict: true, namespace: 'ml' });
  console.warn(...warnings);
  // @ts-expect-error: there is no such scheduler
  if (faults.length === 0) await renderJob(manifest, { gang: 'slurm' });
  for (const { kind, metadata } of (await renderJob(manifest, { gang })).objects) console.log(kind, metadata.name);
  return faults;
}

export async function causes(directory: string): Promise<(string | undefined)[]> {
  const archive = await openArchive(directory);
  const found: (string | undefined)[] = [];
  for await (const job of archive.jobs({ phase: 'failed', endedSince: new Date(0) })) {
    const outcome = job.outcome();
    if (outcome.phase === 'Failed') found.push(outcome.reason, (await job.history({ from: 2 }))[0]?.message);
    // @ts-expect-error: a name is no way to find one
    await archive.find('train');
  }
  archive.close();
  return found;
}

export async function train(manifest: object): Promise<Outcome | undefined> {
  const client: SignalboxClient = await SignalboxClient.connect(${SETTINGS});
  try {
    const job = await client.submit(manifest, { key: 'a', labels: { team: 'nlp' }, timeout: 1000 });
    const outcome = await job.wait();
    if (outcome.phase === 'Failed') console.error(outcome.cause?.reason);
    // @ts-expect-error: there is no such phase
    if (outcome.phase === 'Finished') return undefined;
    return outcome;
  } catch (error) {
    if (error instanceof NameTakenError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}
`;

const USE_IN_COMMON_JS = `
import library = require('signalbox-client');
export const connect = (): Promise<library.SignalboxClient> => library.SignalboxClient.connect(${SETTINGS});
`;

const USE_IN_TEMPORAL = `
import { SignalboxClient, type Outcome } from 'signalbox-client';
import { trainingJobActivities } from 'signalbox-client/activity';
import { runTrainingJob } from 'signalbox-client/workflow';

export const activities = trainingJobActivities(await SignalboxClient.connect(${SETTINGS}));
export const run = (manifest: object): Promise<Outcome> => runTrainingJob(manifest, { key: 'train' });
`;

function compile({ dir }: Project, args: readonly string[]): string {
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2023',
  ];
  const others = ['--noEmit', '--lib', 'es2023', '--types', 'node', '--ignoreConfig'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return runTool(compiler, [...strict, ...others, ...args], dir).said;
}

function runTool(program: string, args: readonly string[], cwd = ROOT): { code: number; said: string } {
  try {
    const said = execFileSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
    return { code: 0, said };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, said: stdout + stderr };
  }
}

/** Bytes of a module and of what it imports statically. */
function staticSizeOf(dir: string, entry: string): number {
  const folder = join(dir, 'node_modules/signalbox-client/dist');
  const seen = new Set<string>();
  const visit = (text: string): number =>
    [...text.matchAll(/(?:from|import)"\.{1,2}\/(?:chunks\/)?([\w-]+\.mjs)"/g)].reduce((bytes, [, file]) => {
      if (seen.has(file!)) return bytes;
      seen.add(file!);
      return bytes + visit(readFileSync(join(folder, 'chunks', file!), 'utf8'));
    }, text.length);
  return visit(entry);
}

const sizeOf = (dir: string): number =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
