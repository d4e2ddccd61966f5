import type { KubeObject } from '../../contracts/kubernetes.ts';

/** Which objects a list or a watch is about. */
export interface Selector {
  readonly labels: readonly ((labels: Readonly<Record<string, string>>) => boolean)[];
  readonly fields: readonly ((object: KubeObject) => boolean)[];
}

export function selectorOf(query: URLSearchParams): Selector {
  return {
    labels: partsOf(query.get('labelSelector')).map(labelTest),
    fields: partsOf(query.get('fieldSelector')).map(fieldTest),
  };
}

export function isSelected(
  object: KubeObject | undefined,
  { labels, fields }: Selector,
  namespace?: string,
): boolean {
  if (!object || (namespace !== undefined && object.metadata.namespace !== namespace)) return false;
  const own = object.metadata.labels ?? {};
  return labels.every((test) => test(own)) && fields.every((test) => test(object));
}

/** Commas in parentheses separate values. */
const partsOf = (text: string | null): string[] => text?.match(/[^,(]+(?:\([^)]*\))?/g) ?? [];

function labelTest(text: string): Selector['labels'][number] {
  const [, label = '', values = ''] = /^(\S+) in \((.*)\)$/.exec(text) ?? [];
  if (label) return (labels) => labels[label] !== undefined && values.split(',').includes(labels[label]);
  if (text.startsWith('!')) return (labels) => labels[text.slice(1)] === undefined;
  const [name = '', value] = text.split('=');
  if (value === undefined) return (labels) => labels[name] !== undefined;
  return (labels) => labels[name] === value;
}

function fieldTest(text: string): Selector['fields'][number] {
  const [, path = '', operator, value] = /^([^!=]+)(!?=)(.*)$/.exec(text) ?? [];
  const keys = path.split('.');
  const read = (object: unknown) => keys.reduce((at, key) => (at as Record<string, unknown>)?.[key], object);
  return (object) => (String(read(object) ?? '') === value) === (operator === '=');
}
