import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { kubernetesVersions } from '@signalbox/sandbox';
import { parse } from 'yaml';
import { MINIMUM } from '../../runtime/node-runtime.mjs';
import { ROOT } from '../../scripts/package/entries.ts';

const FOLDER = join(ROOT, '.github/workflows');
const FILES = readdirSync(FOLDER);
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly permissions?: object;
  readonly strategy?: { readonly matrix: object };
  readonly env?: object;
  readonly steps: readonly Step[];
}
interface Step {
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly uses?: string;
}

const stepsOf = (file: string) =>
  Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps }) => steps);

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Of each step: the script of this repository that it calls, or undefined. */
function ownScript(command: string): string | undefined {
  const npm = /^npm run (\S+)( -- [^\n]*)?$/.exec(command)?.[1];
  if (npm) return npm in scripts ? npm : undefined;
  const file = /^(\.ci\/\S+)( [^\n]*)?$/.exec(command)?.[1];
  return file && existsSync(join(ROOT, file)) ? file : undefined;
}

describe.each(FILES)('the workflow %s', (file) => {
  test('calls scripts that everybody can run', () => {
    const commands = stepsOf(file).flatMap(({ run }) => (run ? [run.trim()] : []));
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => ownScript(command) === undefined)).toEqual([]);
  });

  test('has no rights but those that a job names', () => {
    const { permissions, jobs } = parse(read(file)) as Workflow;
    expect(permissions).toEqual({});
    expect(Object.keys(jobs).filter((name) => !jobs[name]!.permissions)).toEqual([]);
  });

  test('names each action by its commit, and its version beside it', () => {
    const lines = read(file)
      .split('\n')
      .filter((line) => line.includes('uses:'));
    expect(lines.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});

test('all workflows use the same commit of an action', () => {
  const used = new Set(FILES.flatMap((file) => read(file).match(/(?<=uses: )\S+/g) ?? []));
  expect(new Set([...used].map((action) => action.split('@')[0])).size).toBe(used.size);
});

test('the unit tests run by night on the oldest Node that README and package.json name', () => {
  const { jobs } = parse(read('nightly.yml')) as Workflow;
  const { steps } = jobs['oldest-node']!;
  expect(steps.find(({ run }) => run)?.run).toBe('npm run test:unit');
  expect(steps.flatMap((step) => step.with?.['node-version'] ?? [])).toEqual([MINIMUM]);
  const oldest = MINIMUM.replace(/\.0$/, '');
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`Node ${oldest} or later`);
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  expect(engines.node).toBe(`>=${oldest}`);
});

/** The nightly tests that depend on the cluster. */
function ofKubernetes() {
  const { strategy, env } = (parse(read('nightly.yml')) as Workflow).jobs.kubernetes!;
  return { ...(strategy!.matrix as { include: readonly { version: string; tests: string }[] }), env };
}

test('what depends on the cluster runs by night with each version of Kubernetes that a sandbox can run', () => {
  const { include, env } = ofKubernetes();
  expect(include.map(({ version }) => version)).toEqual(kubernetesVersions);
  expect(env).toEqual({
    SIGNALBOX_SANDBOX_KUBERNETES: expect.stringContaining('matrix.version'),
    TESTS: expect.stringContaining('matrix.tests'),
  });
});

test('each pattern of a version of Kubernetes names tests that are there', () => {
  const { include } = ofKubernetes();
  const files = globSync('{test,packages}/**/*.scenario.test.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const patterns = [...new Set(include.flatMap(({ tests }) => tests.split(' ')))];
  expect(patterns.filter((pattern) => !files.some((file) => new RegExp(pattern).test(file)))).toEqual([]);
});
