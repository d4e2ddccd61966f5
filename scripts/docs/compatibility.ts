import type { Compatibility, Difference } from '../../test/golden-differences/difference.ts';
import { COMPATIBILITY } from '../../test/golden-differences/registry.ts';
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
    title: 'How close is it to the original operators?',
    source: 'test/golden-differences',
    body: [
      'Every kind is run as its original operator runs it. `test/golden` holds what unmodified operators made of some manifests, and a test compares objects and statuses. What differs, differs on purpose, and is listed here; the test lets pass nothing else.',
      table(
        ['kind', 'original', 'what is the same'],
        COMPATIBILITY.map(({ apiVersion, kind, original, same }) => [
          `${apiVersion} ${kind}`,
          original,
          same,
        ]),
      ),
      ...families().map(([family, kinds]) => familySection(family, kinds)),
      ...COMPATIBILITY.map(kindSection),
    ],
  });
}

/** Kinds that share a table of differences, which is told once. */
const families = () =>
  [...Map.groupBy(COMPATIBILITY, ({ family }) => family)].filter(([{ length }]) => length > 0);

function familySection(family: readonly Difference[], kinds: readonly Compatibility[]): string {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join(', ');
  return `## All kinds of ${kinds[0]!.original}\n\n${names}.\n\n${differences(family)}`;
}

function kindSection({ apiVersion, kind, differences: own }: Compatibility): string {
  const listed = own.length > 0 ? differences(own) : 'Nothing more than that.';
  return `## ${apiVersion} ${kind}\n\n${listed}`;
}

function differences(all: readonly Difference[]): string {
  const rows = Object.entries(AREAS).flatMap(([area, title]) =>
    all
      .filter((difference) => difference.area === area)
      .map(({ original, signalbox, why }) => [title, original, signalbox, why]),
  );
  return table(['', 'original', 'signalbox', 'because'], rows);
}
