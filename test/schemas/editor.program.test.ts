import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Editor, openEditor } from './editor.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLES = globSync('examples/*/*/job*.yaml', { cwd: ROOT });

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor();
});
afterAll(() => editor.close());

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Beside the example, so that its schema is found; nothing is written there. */
const unsaved = (path: string, name: string) => pathToFileURL(join(ROOT, path, '..', name)).href;

describe('an editor with the YAML language server', () => {
  test.each(EXAMPLES)('finds no fault in %s', async (path) => {
    expect(textOf(path)).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/schemas\/[\w-]+\.json\n/,
    );
    expect(await editor.faultsOf(pathToFileURL(join(ROOT, path)).href, textOf(path))).toEqual([]);
  });

  const path = 'examples/pytorch/ddp-torch/job.yaml';

  test('marks a misspelt role and a wrong value', async () => {
    const text = textOf(path)
      .replace('Worker:', 'Wroker:')
      .replace(/replicas: \d+/, 'replicas: many');
    const faults = await editor.faultsOf(unsaved(path, 'faulty.yaml'), text);
    expect(faults).toEqual(
      expect.arrayContaining([
        'Property Wroker is not allowed.',
        expect.stringContaining('Incorrect type. Expected "integer"'),
      ]),
    );
  });

  test('completes the fields of a runPolicy', async () => {
    const [first = ''] = textOf(path).split('\n');
    const lines = [first, 'apiVersion: kubeflow.org/v1', 'kind: PyTorchJob', 'spec:', '  runPolicy:', '    '];
    const uri = unsaved(path, 'unfinished.yaml');
    const offered = await editor.completionsOf({ uri, text: lines.join('\n'), line: 5, character: 4 });
    expect(offered).toEqual(
      expect.arrayContaining(['activeDeadlineSeconds', 'backoffLimit', 'cleanPodPolicy', 'suspend']),
    );
  });
});
