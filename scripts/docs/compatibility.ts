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
        'Each kind behaves as under its original operator. `test/golden` records the objects and statuses that unmodified operators created from sample manifests, and a test compares those of signalbox with them. This page lists every difference; the test accepts no others, and has the reason for each.',
      ),
      table(
        ['kind', 'original operator', 'what is the same'],
        COMPATIBILITY.map(({ apiVersion, kind, original, same }) => [
          `${apiVersion} ${kind}`,
          original,
          same,
        ]),
      ),
      sharedSection(),
      ...families().map(([family, kinds]) => familySection(family, kinds)),
      ...COMPATIBILITY.map(kindSection),
    ],
  });
}

/** Differences of several operators or kinds, printed once, with whom they concern. */
const SHARED = [...concernedByDifference()].filter(([, concerned]) => concerned.length > 1);

function sharedSection(): string {
  const rows = SHARED.map(([text, concerned]) => [...(JSON.parse(text) as string[]), concerned.join(', ')]);
  const sorted = Object.values(AREAS).flatMap((title) => rows.filter(([area]) => area === title));
  const listed = table(['area', 'original', 'signalbox', 'kinds'], sorted);
  return `## Several kinds\n\n${listed}`;
}

function concernedByDifference(): Map<string, string[]> {
  const concerned = new Map<string, string[]>();
  const add = (name: string, all: readonly Difference[]) => {
    for (const text of all.map(textOf)) concerned.set(text, [...(concerned.get(text) ?? []), name]);
  };
  for (const [family, kinds] of families()) add(`all of ${kinds[0]!.original}`, family);
  for (const { apiVersion, kind, differences: own } of COMPATIBILITY) add(`${apiVersion} ${kind}`, own);
  return concerned;
}

function textOf({ area, original, signalbox }: Difference): string {
  return JSON.stringify([AREAS[area], original, signalbox]);
}

/** Groups kinds that share a table of differences, which is printed once. */
function families() {
  return [...Map.groupBy(COMPATIBILITY, ({ family }) => family)].filter(([{ length }]) => length > 0);
}

function familySection(family: readonly Difference[], kinds: readonly Compatibility[]): string {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join(', ');
  return `## All kinds of ${kinds[0]!.original}\n\n${names}.\n\n${differences(family)}`;
}

function kindSection({ apiVersion, kind, differences: own }: Compatibility): string {
  const listed = own.some(isUnshared) ? differences(own) : 'No further differences.';
  return `## ${apiVersion} ${kind}\n\n${listed}`;
}

function differences(all: readonly Difference[]): string {
  const rows = Object.entries(AREAS).flatMap(([area, title]) =>
    all
      .filter((difference) => difference.area === area && isUnshared(difference))
      .map(({ original, signalbox }) => [title, original, signalbox]),
  );
  return table(['area', 'original', 'signalbox'], rows);
}

const isUnshared = (difference: Difference) => !SHARED.some(([text]) => text === textOf(difference));
