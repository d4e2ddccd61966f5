import { describe, expect, it } from '@jest/globals';
import { comparisonText } from '../../../cli/print/comparison-text.ts';
import { terminalText } from '../../../cli/print/terminal-text.ts';
import { type ComparedJob, compareJobs } from '../../../record/compare/compare-jobs.ts';

const PATH = 'spec.pytorchReplicaSpecs.Master.template.spec.containers[pytorch].args';

const jobWith = (args: readonly string[] | undefined): ComparedJob => ({
  ...{ workflowId: 'job/ml/train', runId: 'r', revision: 1, entries: [], pods: [] },
  manifest: {
    spec: {
      pytorchReplicaSpecs: {
        Master: {
          template: { spec: { containers: [{ name: 'pytorch', image: 'i', ...(args && { args }) }] } },
        },
      },
    },
  },
});

/** Two jobs that differ in their arguments, as a terminal shows it. */
async function shown(a: readonly string[] | undefined, b: readonly string[]): Promise<string> {
  return terminalText(await comparisonText(compareJobs(jobWith(a), jobWith(b)), ['train', 'train-2']));
}

const SCRIPT = 'for step in range(9):\n    if step:\n        print(step)\n\n    save(step)\n';

describe('a comparison as text', () => {
  it('has the lines of a script that differ, with their indentation', async () => {
    const text = await shown(
      ['-c', SCRIPT],
      ['-c', SCRIPT.replace('print(step)', 'print(step, flush=True)')],
    );
    expect(text).toContain(
      [
        `${PATH}[1]`,
        '--- train',
        '+++ train-2',
        '@@ -1,5 +1,5 @@',
        ' for step in range(9):',
        '     if step:',
        '-        print(step)',
        '+        print(step, flush=True)',
        ' ',
        '     save(step)',
      ].join('\n'),
    );
    expect(text).toMatch(/^MANIFEST .*\n.* {3}\(see below\) +\(see below\)$/m);
  });

  it('distinguishes scripts that differ only in their indentation', async () => {
    const text = await shown([SCRIPT], [SCRIPT.replace('    save', 'save')]);
    expect(text).toContain('\n-    save(step)\n+save(step)');
  });

  it('shows the lines of a script in a list that became longer', async () => {
    const text = await shown(['-c', SCRIPT], ['-u', '-c', SCRIPT]);
    expect(text).toMatch(/\+- -u\n - -c\n - \|\n {3}for step in range\(9\):/);
  });

  it('shows a script that only one side has', async () => {
    const text = await shown(undefined, ['-c', SCRIPT]);
    expect(text).toContain('--- nothing\n+++ train-2\n@@ -0,0 +1,7 @@\n+- -c');
  });

  it('shows other values in the table, with their trailing spaces', async () => {
    expect(await shown([' a', 'b'], ['a', 'b'])).toMatch(/^MANIFEST .*\n.* {3}" a" +a$/m);
  });
});
