import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { ROOT } from '../package/entries.ts';
import { page, paragraph, table } from './markdown.ts';

type Values = YAMLMap<Scalar, unknown>;

/** Returns charts/signalbox/README.md, which `helm show readme` prints: the values, as values.yaml explains them. */
export function chartReadme(): string {
  const values = parseDocument(readFileSync(join(ROOT, 'charts/signalbox/values.yaml'), 'utf8'));
  return page({
    title: 'The chart of signalbox',
    source: 'values.yaml',
    body: [
      paragraph(
        'signalbox runs ML training jobs on Kubernetes as durable Temporal workflows. The chart installs worker and watcher. It has no CRDs and no subcharts, and needs a Temporal server. [Install](../../docs/install.md) goes from nothing to the first job, alert and restore; [deployment](../../docs/deployment.md#the-chart) has values for production, several teams and Temporal Cloud. A value that is not here is refused. Only `temporal.address` has to be set.',
      ),
      table(['value', 'default', 'meaning'], rowsOf(values.contents as Values)),
    ],
  });
}

/** A map is a row if it has a comment; so is each value in it. */
function rowsOf(map: Values, prefix = ''): readonly (readonly string[])[] {
  return map.items.flatMap(({ key, value }, index) => {
    const path = `${prefix}${key.value}`;
    // The parser takes the comment before the first entry for one of the map.
    const meaning = lastParagraph(prefix && index === 0 ? map.commentBefore : key.commentBefore);
    const name = `\`${path}\``;
    if (!isMap<Scalar>(value) || value.flow || value.items.length === 0)
      return [[name, `\`${JSON.stringify(plain(value))}\``, meaning]];
    const below = rowsOf(value, `${path}.`);
    return meaning ? [[name, '', meaning], ...below] : below;
  });
}

const plain = (value: unknown): unknown =>
  isScalar(value) ? value.value : (value as { toJSON(): unknown }).toJSON();

/** What stands before, with a blank line between, is of the whole file. */
const lastParagraph = (comment: string | null | undefined): string =>
  (comment ?? '')
    .split('\n\n')
    .at(-1)!
    .trim()
    .replace(/\s*\n\s*/g, ' ');
