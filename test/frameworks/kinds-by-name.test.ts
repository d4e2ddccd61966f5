import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';

/**
 * frameworks/README.md: only frameworks/ knows kinds by name. Comments may name them, and so may examples in messages
 * ("e.g. PyTorchJob") and in the help of commands ("--set spec.pytorchReplicaSpecs...").
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FOLDERS = [
  'activities',
  'bridge',
  'cli',
  'client',
  'cluster',
  'contracts',
  'leader',
  'evidence',
  'explain',
  'gang',
  'language',
  'machines',
  'record',
  'resources',
  'rpc',
  'temporal',
  'watcher',
  'worker',
  'workflows',
];

/** The client's builders and types of manifests, one for each kind, and its entry, which exports them. */
const OF_KINDS = /^client\/(manifests\/builders\/|manifests\/manifest-types\.ts$|index\.ts$)/;

/** The settings that only one kind reads (`Conventions`) are named after it. */
const SETTINGS: ReadonlySet<string> = new Set([
  'mpiKubectlDeliveryImage',
  'pytorchInitContainerImage',
  '--mpi-kubectl-delivery-image <image>',
  '--pytorch-init-container-image <image>',
]);

/** A variable, or the help on an option, which names its variable. */
const isOfSetting = (text: string) => SETTINGS.has(text) || /\bSIGNALBOX_[A-Z_]+\b/.test(text);

const KINDS = FRAMEWORKS.map(({ kind }) => kind);
const API_VERSIONS = FRAMEWORKS.map(({ apiVersion }) => apiVersion);
const OPERATORS = FRAMEWORKS.map(({ operatorName }) => operatorName);
const SPECS = FRAMEWORKS.map(({ replicaSpecs }) => replicaSpecs).filter(Boolean);
/** The worker process has the same name as some roles. */
const ROLES = FRAMEWORKS.flatMap(({ roles }) => roles.map(({ name }) => name)).filter(
  (name) => name !== 'worker',
);
const PRODUCTS: ReadonlySet<string> = new Set([
  ...KINDS.map((kind) => kind.replace(/Job$/, '').toLowerCase()),
  'torch',
  'tensorflow',
]);

/** The words of a sentence or of a name: `isPaddle` has is and paddle. */
const wordsIn = (text: string) =>
  text.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());

const isExample = (text: string) =>
  /e\.g\. `?\w+Job\b/.test(text) || /(--set|PATH=VALUE, e\.g\.) '?spec\./.test(text);

const isOfKind = (text: string) =>
  !isOfSetting(text) &&
  !isExample(text) &&
  ([...ROLES, ...SPECS].includes(text) ||
    [...KINDS, ...API_VERSIONS, ...OPERATORS].some((name) => text.includes(name)) ||
    wordsIn(text).some((word) => PRODUCTS.has(word)));

/** Returns all names and texts in a source file; comments are not among them. */
function textsIn(source: string): string[] {
  const found: string[] = [];
  JSON.stringify(parseSync(source, { syntax: 'typescript' }), (_, node: unknown) => {
    if (isNode(node)) found.push(node.cooked ?? node.value ?? '');
    return node;
  });
  return found;
}

interface TextNode {
  readonly type: string;
  readonly value?: string;
  readonly cooked?: string;
}

/** Temporal's class Worker has the name of a role, so roles are only looked for in texts. */
const isNode = (node: unknown): node is TextNode => {
  const { type, value } = (node ?? {}) as TextNode;
  return (
    type === 'StringLiteral' ||
    type === 'TemplateElement' ||
    (type === 'Identifier' && !ROLES.includes(value ?? ''))
  );
};

const sourcesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

const namedIn = (file: string) => [
  ...new Set(textsIn(readFileSync(join(ROOT, file), 'utf8')).filter(isOfKind)),
];

describe('outside of frameworks/', () => {
  it('no code names a kind', () => {
    const found = FOLDERS.flatMap(sourcesIn)
      .filter((file) => !OF_KINDS.test(file))
      .flatMap((file) => namedIn(file).map((name) => [file, name]));
    expect(found).toEqual([]);
  });
});

describe('the search for names of kinds', () => {
  it('finds them in frameworks/', () => {
    expect(namedIn('frameworks/kinds/pytorch.ts')).toEqual(
      expect.arrayContaining(['kubeflow.org/v1', 'PyTorchJob', 'pytorchReplicaSpecs', 'Master', 'pytorch']),
    );
  });

  it.each(['isPaddle', 'MPI_ROLES', 'batch.paddlepaddle.org/v1', 'a TFJob', 'Launcher', 'for Paddle only'])(
    'finds %s',
    (text) => expect(isOfKind(text)).toBe(true),
  );

  it.each(['compile', 'worker', 'a kind, e.g. PyTorchJob', 'training.kubeflow.org/job-name'])(
    'ignores %s',
    (text) => expect(isOfKind(text)).toBe(false),
  );
});
