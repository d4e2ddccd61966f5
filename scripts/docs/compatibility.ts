import type { Compatibility, Difference } from '../../test/golden-differences/difference.ts';
import { COMPATIBILITY } from '../../test/golden-differences/registry.ts';
import { page, paragraph, table } from './markdown.ts';

/** The operator of most kinds. */
const MOST = 'training-operator';

/** In the order of a job's life. */
const AREAS: readonly Difference['area'][] = ['manifest', 'objects', 'running', 'ending', 'status'];

/** Returns docs/compatibility.md. */
export function compatibilityPage(): string {
  return page({
    title: 'Compatibility: what differs from the original operators',
    source: 'test/golden-differences',
    body: [
      paragraph(
        'Each kind has the objects, names, labels, ports, variables, conditions and messages of its original operator: `test/golden` records what unmodified operators created from sample manifests, and a test compares signalbox with that. This page lists every difference; `test/golden-differences` has the reason for each.',
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
  const everybody = families().length + COMPATIBILITY.filter(({ family }) => family.length === 0).length;
  const rows = SHARED.map(([text, concerned]) => {
    const { area, original, signalbox } = JSON.parse(text) as Shown;
    const whom = concerned.length === everybody ? 'all' : concerned.join(', ');
    return { area, row: [original, signalbox, whom] };
  });
  const listed = table(
    ['original', 'signalbox', 'kinds'],
    sorted(rows).map(({ row }) => row),
  );
  return `## Several kinds\n\n${listed}`;
}

type Shown = Pick<Difference, 'area' | 'original' | 'signalbox'>;

const sorted = <T extends Pick<Difference, 'area'>>(all: readonly T[]): T[] =>
  AREAS.flatMap((area) => all.filter((one) => one.area === area));

function concernedByDifference(): Map<string, string[]> {
  const concerned = new Map<string, string[]>();
  const add = (name: string, all: readonly Difference[]) => {
    for (const text of all.map(textOfDifference)) concerned.set(text, [...(concerned.get(text) ?? []), name]);
  };
  for (const [family, kinds] of families()) add(operatorOf(kinds[0]!), family);
  for (const kind of COMPATIBILITY) add(nameOfKind(kind), kind.differences);
  return concerned;
}

/** Without the operator of most kinds. */
function nameOfKind(kind: Compatibility): string {
  const operator = operatorOf(kind);
  return operator === MOST ? kind.kind : `${kind.kind} (${operator})`;
}

function operatorOf({ original }: Compatibility): string {
  return original.split(' ')[0]!;
}

function textOfDifference({ area, original, signalbox }: Difference): string {
  return JSON.stringify({ area, original, signalbox } satisfies Shown);
}

/** Groups kinds that share a table of differences, which is printed once. */
function families() {
  return [...Map.groupBy(COMPATIBILITY, ({ family }) => family)].filter(([{ length }]) => length > 0);
}

function familySection(family: readonly Difference[], kinds: readonly Compatibility[]): string {
  return `## All kinds of ${operatorOf(kinds[0]!)}\n\n${differences(family)}`;
}

function kindSection({ apiVersion, kind, original, differences: own }: Compatibility): string {
  const listed = own.some(isUnshared) ? differences(own) : 'No further differences.';
  return `## ${apiVersion} ${kind} (${original})\n\n${listed}`;
}

const differences = (all: readonly Difference[]): string =>
  table(
    ['original', 'signalbox'],
    sorted(all)
      .filter(isUnshared)
      .map(({ original, signalbox }) => [original, signalbox]),
  );

const isUnshared = (difference: Difference) =>
  !SHARED.some(([text]) => text === textOfDifference(difference));
