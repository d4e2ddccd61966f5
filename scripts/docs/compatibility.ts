import type { Compatibility, Difference } from '../../test/golden-differences/difference.ts';
import { COMPATIBILITY } from '../../test/golden-differences/registry.ts';
import { page, paragraph, table } from './markdown.ts';

const AREAS: Readonly<Record<Difference['area'], string>> = {
  manifest: 'manifest',
  objects: 'objects',
  running: 'while running',
  ending: 'end',
  status: 'status',
};

/** Returns docs/compatibility.md. */
export function compatibilityPage(): string {
  return page({
    title: 'How does it differ from the original operators?',
    source: 'test/golden-differences',
    body: [
      paragraph(
        'Each kind behaves as under its original operator. `test/golden` records the objects and statuses that unmodified operators created from sample manifests, and a test compares those of signalbox with them. This page lists every difference. All of them are intended; the test accepts no others.',
      ),
      table(
        ['kind', 'original operator', 'what is the same'],
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

/** Groups kinds that share a table of differences, which is printed once. */
const families = () =>
  [...Map.groupBy(COMPATIBILITY, ({ family }) => family)].filter(([{ length }]) => length > 0);

function familySection(family: readonly Difference[], kinds: readonly Compatibility[]): string {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join(', ');
  return `## All kinds of ${kinds[0]!.original}\n\n${names}.\n\n${differences(family)}`;
}

function kindSection({ apiVersion, kind, differences: own }: Compatibility): string {
  const listed = own.length > 0 ? differences(own) : 'No further differences.';
  return `## ${apiVersion} ${kind}\n\n${listed}`;
}

function differences(all: readonly Difference[]): string {
  const rows = Object.entries(AREAS).flatMap(([area, title]) =>
    all
      .filter((difference) => difference.area === area)
      .map(({ original, signalbox, why }) => [title, original, signalbox, why]),
  );
  return table(['area', 'original', 'signalbox', 'because'], rows);
}
