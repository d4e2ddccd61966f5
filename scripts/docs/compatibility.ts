import { DIFFERENCES, type Difference } from '../../frameworks/compatibility.ts';
import { page, table } from './markdown.ts';

const AREAS: Readonly<Record<Difference['area'], string>> = {
  manifest: 'What is accepted',
  objects: 'What is made',
  running: 'While it runs',
  ending: 'When it ends',
  status: 'What the status says',
};

/** docs/compatibility.md */
export function compatibilityPage(): string {
  return page({
    title: 'How close is it to training-operator?',
    source: 'frameworks/compatibility.ts',
    body: [
      'A PyTorchJob (kubeflow.org/v1) is run as training-operator v1.9 runs it: the same pods, Services, names, labels, variables, conditions and messages. `test/golden` holds what an unmodified operator made of some manifests, and a test compares. What differs, differs on purpose:',
      ...Object.entries(AREAS).map(([area, title]) => section(title, area as Difference['area'])),
    ],
  });
}

function section(title: string, wanted: Difference['area']): string {
  const rows = DIFFERENCES.filter(({ area }) => area === wanted).map(({ original, signalbox, why }) => [
    original,
    signalbox,
    why,
  ]);
  return `## ${title}\n\n${table(['training-operator', 'signalbox', 'because'], rows)}`;
}
