import { z } from 'zod';
import {
  HEALTH_KINDS,
  HEALTH_SOURCES,
  type HealthSource,
  TIME_FORMS,
} from '../../contracts/health-sources.ts';
import { VERDICTS } from '../../contracts/node-notice.ts';
import { someTime } from '../../contracts/schemas/duration.ts';
import { describeValue, faultsOf } from '../../contracts/schemas/faults-of.ts';
import { type FaultyFile, readYamlFile, readYamlText } from '../../contracts/schemas/yaml-file.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';

/** What an installation adds to the table of sources of health, and switches off. */

const text = z.string().min(1).max(253);

const rowSchema = z.strictObject({
  kind: z.enum(HEALTH_KINDS),
  key: text,
  is: z.array(text).min(1).optional(),
  reason: text.optional(),
  means: z.enum([...VERDICTS, 'nothing']),
  time: z.enum(TIME_FORMS).optional(),
  lead: someTime.optional(),
});

const documentSchema = z.strictObject({
  without: z.array(text).default([]),
  sources: z.array(z.strictObject({ name: text, rows: z.array(rowSchema).min(1) })).default([]),
});

type Document = z.infer<typeof documentSchema>;

/** The sources that count, or what is wrong with the file, a line each. */
export type ReadHealth = { readonly sources: readonly HealthSource[] } | FaultyFile;

export const readHealthFile = (path: string): Promise<ReadHealth> => readYamlFile(path, parse);

export const healthIn = (content: string, path: string): ReadHealth => readYamlText(content, path, parse);

function parse(
  document: unknown,
): { readonly sources: readonly HealthSource[] } | { readonly faults: readonly Fault[] } {
  const { success, data, error } = documentSchema.safeParse(document ?? {});
  if (!success)
    return {
      faults: faultsOf(error, document).map((fault) => ({ ...fault, path: fault.path || 'the file' })),
    };
  const faults = [...data.sources.flatMap(statusOfConditions), ...data.without.flatMap(unknownName)];
  return faults.length > 0 ? { faults } : { sources: sourcesOf(data) };
}

/** Those of the installation come first: they may say that a row below means nothing. */
const sourcesOf = ({ without, sources }: Document): readonly HealthSource[] => [
  ...sources.map(({ name, rows }) => ({
    name,
    rows: rows.map(({ lead, ...row }) => withoutUndefined({ ...row, leadMs: lead })),
  })),
  ...HEALTH_SOURCES.filter(({ name }) => !without.includes(name)).map(({ name, rows }) => ({
    name,
    rows: rows.filter(({ key }) => !without.includes(key)),
  })),
];

/** No polarity is usual: some sources write True for sick, others for well. */
function statusOfConditions({ rows }: Document['sources'][number], source: number): Fault[] {
  return rows.flatMap(({ kind, is }, row) =>
    kind === 'condition' && is === undefined
      ? [
          {
            path: `sources[${source}].rows[${row}].is`,
            expected: "the bad status of the condition, e.g. ['True']",
            got: 'nothing',
          },
        ]
      : [],
  );
}

function unknownName(name: string, index: number): Fault[] {
  const known = HEALTH_SOURCES.flatMap((source) => [source.name, ...source.rows.map(({ key }) => key)]);
  if (known.includes(name)) return [];
  const meant = nearest(name, known);
  const expected = `a source or a key of docs/health.md${meant ? ` (${didYouMean(meant)})` : ''}`;
  return [{ path: `without[${index}]`, expected, got: describeValue(name) }];
}
