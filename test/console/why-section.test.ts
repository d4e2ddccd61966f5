import { expect, it } from '@jest/globals';
import { whyText } from '../../cli/print/why-text.ts';
import { withRemedies } from '../../client/use-cases/why/with-remedies.ts';
import { whyMarkup } from '../../console/pages/why-section.ts';
import type { WhyAnswer } from '../../contracts/types.ts';
import { answerTo, nodes, specOf, wanted } from '../explain/situations.ts';

const ANSWERED: WhyAnswer = withRemedies({
  ...{ kind: 'PyTorchJob', namespace: 'ml', name: 'train', asOf: '2026-11-30T12:00:00Z' },
  ...answerTo({
    pods: [...wanted(2, specOf(1, { nodeSelector: { disk: 'ssd' } })), ...wanted(1, specOf(16), 'master')],
    nodes: [...nodes(2, { taint: 'team=b' }), ...nodes(1, { name: 'b', labels: { disk: 'ssd' } })],
  }),
});

const WAITED: WhyAnswer = {
  ...ANSWERED,
  waited: [{ reason: 'WaitingForGang', message: '', from: '2026-11-30T11:00:00Z', seconds: 300, times: 2 }],
  spares: { wanted: 2, placed: 1, said: 'One is told to wait.' },
  notes: ['A label is of no node.'],
  unknown: ['claims of devices'],
};

const textOf = (answer: WhyAnswer) =>
  whyMarkup(answer)
    .text.replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();

it('a page says what the command line says: reason, who can change it, what to do, and each class of nodes', () => {
  const [, ...lines] = whyText(WAITED).split('\n');
  const page = textOf(WAITED);
  const facts = lines.flatMap((line) => [
    ...line
      .replace(/^ {2}(?:[a-z]+( by)? {2,}| *(?=\d))/, '')
      .split(/: |, e\.g\. |(?<=^\d+) /)
      .map((part) => part.trim().toLowerCase()),
  ]);
  expect(facts.length).toBeGreaterThan(20);
  expect(facts.filter((fact) => fact !== '' && !page.includes(fact))).toEqual([]);
});

it('of a failed job it says what the logs say, and what failures that are alike point to', () => {
  const answer = {
    ...ANSWERED,
    ...{ reasons: [], placements: [], errorLine: 'ValueError: <x>', advice: 'Look.' },
  };
  expect(whyMarkup(answer).text).toContain('<p><code>ValueError: &lt;x&gt;</code></p>\n<p>Look.</p>');
});

it('of a job that nothing keeps waiting it says so in the same words', () => {
  const answer = {
    ...ANSWERED,
    ...{ reasons: [], placements: [], fits: 'yes' as const },
  };
  expect(textOf(answer)).toContain('the pods find room: it would start at once.');
  expect(whyText(answer)).toContain('The pods find room: it would start at once.');
});
